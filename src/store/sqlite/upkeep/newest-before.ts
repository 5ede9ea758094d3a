import type { DatabaseSync } from 'node:sqlite';

export function createNewestBefore(db: DatabaseSync) {
  const asked = db.prepare(
    'SELECT created_at AS at FROM verification WHERE id <= ? ORDER BY id DESC LIMIT 1',
  );
  const changed = db.prepare('SELECT max(at) AS at FROM audit_entry WHERE at <= ?');
  return (at: number): number | null => {
    // Ids begin with their time.
    const newest = [asked.get(`ver_${at.toString(16).padStart(12, '0')}`), changed.get(at)];
    const times = newest.flatMap((row) => (typeof row?.at === 'number' ? [row.at] : []));
    return times.length === 0 ? null : Math.max(...times);
  };
}
