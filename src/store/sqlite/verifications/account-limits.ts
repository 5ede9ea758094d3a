import type { Limit } from '../../../core/verification/limits.ts';

/** Lists of limits whose statements are kept. Beyond that, the oldest are dropped. */
const KEPT = 100;

/**
 * Statements contain the limits that they check: those of the service, made at once, and those that hold
 * for one account, made when they are first needed. PostgreSQL's functions take limits as arguments.
 */
export function statementsByLimits<Statements>(
  own: readonly Limit[],
  prepare: (limits: readonly Limit[]) => Statements,
): (ofAccount?: readonly Limit[]) => Statements {
  const ownStatements = prepare(own);
  const byList = new Map<string, Statements>();
  return (ofAccount) => {
    if (ofAccount === undefined) return ownStatements;
    const list = JSON.stringify(ofAccount);
    let statements = byList.get(list);
    if (statements === undefined) {
      const oldest = byList.size >= KEPT ? byList.keys().next().value : undefined;
      if (oldest !== undefined) byList.delete(oldest);
      statements = prepare(ofAccount);
      byList.set(list, statements);
    }
    return statements;
  };
}
