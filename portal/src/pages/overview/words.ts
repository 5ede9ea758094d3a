/** What each figure of the overview means. */
export const MEANS = {
  Requested: 'Codes that your applications asked for with POST /verify, and that were not refused.',
  Attempts:
    'How often a message was offered to this carrier, whether or not the carrier accepted it. The list behind it has each code once.',
  Accepted:
    'Messages that a carrier accepted. A code that fails over to a second carrier is accepted twice; the list behind it has it once.',
  Delivered:
    'Messages that the carrier reported as delivered to the telephone. Some carriers send no reports.',
  Confirmed:
    'Codes that were typed in correctly. Of all these figures, this is the one that no carrier can embellish.',
  'Reported undelivered':
    'Messages that the carrier reported as not delivered, or that were taken back before the next channel.',
  'Without a receipt': 'Messages that were accepted and have no report yet.',
  'Attempts not accepted':
    'Attempts that the carrier refused or did not answer. The list behind it has each code once.',
  Failed:
    'Codes that no carrier took in time. Those that one took and reported undelivered are counted there.',
  Cost: 'Accepted messages at the prices in your configuration. Without prices it is zero.',
  'Cost per confirmation':
    'The cost of all messages divided by the confirmed codes: what one proven number costs you.',
  'Slowest 5% confirmed after': '95 of 100 confirmations came within this time of the request.',
  Conversion:
    'Confirmed codes as a share of the requested ones; for one carrier, of the messages that it accepted.',
  'Time to confirm':
    'From the request to the right code, so it includes how long people take to read and type.',
  'Countries and carriers':
    'Of the messages that a carrier accepted in a country, the share that was confirmed. Below 20 messages a share says little, so there is no colour.',
  Map: 'Confirmed codes as a share of the requested ones. Countries with fewer than 20 requests have no colour.',
  'Carriers over time': 'Of the messages that each carrier accepted in a step, the share that was confirmed.',
  'By country':
    'Shares are of the requested codes. The median is the time within which half of the confirmed codes came back. Press a name to see only that country, a figure to see its codes, and a column to sort by it: stages are sorted by their share.',
  'By carrier':
    'Accepted is a share of the attempts; delivered and confirmed are shares of what was accepted, because a request belongs to no carrier. Press a name to see only that carrier, a figure to see its codes, and a column to sort by it: stages are sorted by their share.',
  'By key':
    'Shares are of the requested codes. There is no median, because times are not kept by key. Press a name to see only that key.',
  'By channel': 'Shares are of the requested codes. Press a name to see only that channel.',
  Limits:
    'Requests that a limit refused, which cost nothing and are in no list, and codes that were typed in wrongly: those without guesses left are among the verifications as locked. Limits are in the settings and in the configuration.',
} as const;

export type Explained = keyof typeof MEANS;
