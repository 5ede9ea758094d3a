/**
 * NSS, which Chromium uses for certificates, keeps them in SQLite, and the npm package does not bring SQLite along. We keep no
 * certificates, so the library is changed to do without SQLite and loads on machines that lack it.
 */
import { readFile, writeFile } from 'node:fs/promises';

const DT_NEEDED = 1n;
/** Only debuggers read it. */
const DT_DEBUG = 21n;
const SHT_DYNAMIC = 6;
const SHT_DYNSYM = 11;
const STB_WEAK = 2;
/** Sizes in 64-bit ELF, in bytes: a section header, a symbol, an entry of the dynamic section. */
const [SECTION, SYMBOL, ENTRY] = [64, 24, 16];

/** Changes the ELF file in place: it no longer needs SQLite, and each of SQLite's functions may be missing. */
export async function forgetSqlite(path: string): Promise<void> {
  const elf = await readFile(path);
  const at = (offset: number) => Number(elf.readBigUInt64LE(offset));
  const sections = Array.from({ length: elf.readUInt16LE(60) }, (_, n) => {
    const header = at(40) + n * SECTION;
    return {
      type: elf.readUInt32LE(header + 4),
      start: at(header + 24),
      size: at(header + 32),
      /** The section that holds its names. */
      link: elf.readUInt32LE(header + 40),
    };
  });
  for (const { type, start, size, link } of sections) {
    const names = sections[link]?.start ?? 0;
    const nameAt = (offset: number) => elf.toString('latin1', names + offset, elf.indexOf(0, names + offset));
    if (type === SHT_DYNAMIC) {
      for (let entry = start; entry < start + size; entry += ENTRY) {
        const isSqlite =
          elf.readBigInt64LE(entry) === DT_NEEDED && nameAt(at(entry + 8)).startsWith('libsqlite3');
        if (isSqlite) elf.writeBigInt64LE(DT_DEBUG, entry);
      }
    } else if (type === SHT_DYNSYM) {
      for (let symbol = start; symbol < start + size; symbol += SYMBOL) {
        const isSqlite = nameAt(elf.readUInt32LE(symbol)).startsWith('sqlite3_');
        if (isSqlite) elf.writeUInt8((STB_WEAK << 4) | (elf.readUInt8(symbol + 4) & 15), symbol + 4);
      }
    }
  }
  await writeFile(path, elf);
}
