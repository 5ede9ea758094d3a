/** One problem of the configuration, with everything needed to fix it. Never holds a secret's value. */
export interface ConfigProblem {
  /** Where: `limits.requestsPerKey[0]`, or the name of an environment variable. */
  readonly key: string;
  readonly wrong: string;
  /** Absent where `wrong` says all there is to say. */
  readonly expected?: string;
  readonly fix: string;
}

/** What a rule found. The key is a path that the caller labels. */
export type RuleFinding = Omit<ConfigProblem, 'key'> & { readonly key: readonly (string | number)[] };

export function describeProblem({ key, wrong, expected, fix }: ConfigProblem): string {
  return [`${key}: ${wrong}`, ...(expected === undefined ? [] : [`expected ${expected}`]), fix].join('; ');
}

/** The configuration cannot be used. Lists all problems, not only the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}
