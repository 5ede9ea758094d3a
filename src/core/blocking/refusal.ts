/** What `/verify` answers for a destination on the list, whether as a number or in a range. */
export const DO_NOT_SEND = {
  kind: 'invalid',
  field: 'destination',
  code: 'do_not_send',
  detail:
    'This destination is on the do-not-send list of this account. Messages go there again once somebody takes it off in the portal or by `countersign block remove`, or its owner sends START.',
} as const;
