import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Things of others under the names that a log gets when it is put aside; each would be overwritten or moved. Made beside
 * `log`, with what they need in `elsewhere`. `age` is the name's last number.
 */
export const IN_THE_WAY: readonly {
  readonly what: string
  readonly age: number
  make(log: string, elsewhere: string): void
}[] = [
  { what: 'a text of somebody', age: 2, make: (log) => put(`${log}.2`, 'Dear diary\n') },
  { what: 'a link', age: 1, make: (log, elsewhere) => symlinkSync(join(elsewhere, 'nowhere'), `${log}.1`) },
  { what: 'a folder', age: 2, make: (log) => mkdirSync(`${log}.2`, { recursive: true }) },
  {
    what: 'a second name of a file elsewhere',
    age: 2,
    make: (log, elsewhere) => {
      put(join(elsewhere, 'mine.jsonl'), '{"a":1}\n')
      linkSync(join(elsewhere, 'mine.jsonl'), `${log}.2`)
    },
  },
]

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
