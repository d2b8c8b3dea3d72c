/** YAML that costs its parser far more than its size: many keys, many aliases, deep nesting, many faults. */
export const YAML_BOMBS: { readonly [name: string]: () => string } = {
  'a hundred thousand keys': () => Array.from({ length: 100_000 }, (_, i) => `key${i}: ${i}`).join('\n'),
  'a hundred thousand keys on one line': () =>
    `{${Array.from({ length: 100_000 }, (_, i) => `k${i}`).join(', ')}}`,
  'nine thousand keys': () => Array.from({ length: 9000 }, (_, i) => `key${i}: ${i}`).join('\n'),
  'nine thousand aliases': () => `a: &a 1\nb: [${'*a,'.repeat(9000)}]\n`,
  'two hundred thousand aliases': () => `a: &a 1\nb:\n${'  - *a\n'.repeat(200_000)}`,
  'twenty thousand aliases': () => `a: &a 1\nb: [${'*a,'.repeat(20_000)}]\n`,
  'a billion laughs': () =>
    `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join('')}`,
  'forty thousand lists inside one another': () => '['.repeat(40_000),
  'three thousand maps inside one another': () =>
    Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  'twenty thousand faults': () => 'a: b: c\n'.repeat(20_000),
  'the same key twenty thousand times': () => 'a: 1\n'.repeat(20_000),
  'a name of four million characters': () => `a: "${'x'.repeat(4_000_000)}"\n`,
}

const BLOCK = 128 * 1024

/** A Zstandard frame of one byte over and over (RFC 8878, 3.1.1.2): four bytes for each 128 KiB. */
export function zstdOf(byte: number, blocks: number): Buffer {
  // Magic number, no flags, a window of 2 MiB.
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])
  const body = Buffer.alloc(blocks * 4)
  for (let i = 0; i < blocks; i++) {
    body.writeUIntLE((BLOCK << 3) | (1 << 1) | (i === blocks - 1 ? 1 : 0), i * 4, 3)
    body[i * 4 + 3] = byte
  }
  return Buffer.concat([head, body])
}
