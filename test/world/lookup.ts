/** Look-ups: what they are like, what they are asked, and what accounts refuse by their answers. */

/** What a look-up can tell (`tells`). */
export type Fact = 'lineType' | 'swapped' | 'ported' | 'recycled';
type LineType = 'mobile' | 'voip' | 'landline';
export interface Refuse {
  readonly hours?: number;
  readonly ported?: number;
  readonly types?: readonly LineType[];
  readonly recycled?: boolean;
}
/** What is true of a number. */
export interface Line {
  readonly type?: LineType;
  /** So many hours ago. */
  readonly swapped?: number;
  readonly ported?: number;
  /** It went to somebody else. */
  readonly recycled?: boolean;
}
/** What a provider does: answer, at once or after a second; say that it does not know; fail; refuse our credentials; never answer; say wrongly that everything is bad. */
export type ProviderConduct = 'answers' | 'slow' | 'knows not' | 'fails' | 'refuses' | 'hung' | 'mistaken';

/** A look-up of the configuration. */
export interface Lookup {
  readonly name: string;
  readonly tells: readonly Fact[];
  readonly price: number;
  /** `fail: closed` */
  readonly closed?: boolean;
  readonly for?: readonly string[];
  /** In ms. */
  readonly remember: number;
}

/** What a provider was asked about a number by a process of the service, and what it says if it answers. */
export interface Questioned {
  readonly lookup: string;
  readonly process: string;
  readonly number: string;
  readonly hours: string;
  readonly ported: string;
  readonly since: string;
  readonly did: ProviderConduct;
  readonly said: {
    readonly lineType?: LineType;
    readonly swapped?: boolean;
    readonly ported?: boolean;
    readonly recycled?: boolean;
  };
}
