import type { Limit } from '../../core/limits.ts';

/** Lists of accounts whose statements are kept. Beyond, the one prepared first is prepared anew when it is asked for. */
const KEPT = 100;

/**
 * Statements are made for the limits that they hold to. Those of the service alone are made at once; those of the
 * service and an account together when they are first asked for.
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
      statements = prepare([...own, ...ofAccount]);
      byList.set(list, statements);
    }
    return statements;
  };
}
