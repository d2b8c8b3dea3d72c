import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeLongSession } from './bulk-store'
import { type Bench, type Measurement, median } from './report'
import { BARE_PARSE, runNode } from './run-process'

const ROUNDS = 9

/** How fast the command starts, and how near it comes to merely parsing what it reads. */
export const commandLineBench: Bench = {
  name: 'command-line',
  title: 'Command line',
  async run({ folder, root, log }) {
    const bin = join(root, 'lib', 'cli', 'bin.cjs')
    const env = { PLIMSOLL_HOME: join(folder, 'state'), PLIMSOLL_STORES: join(folder, 'nothing') }
    const options = { cwd: folder, env }
    log('writing a session of 50 MB …')
    const file = writeLongSession({
      root: join(folder, 'long'),
      entries: 30_000,
      seed: 5,
      resultChars: 2_600,
    })
    const bare = join(folder, 'bare-parse.mjs')
    writeFileSync(bare, BARE_PARSE)

    const time = async (args: readonly string[]) => {
      const { code, ms } = await runNode(args, options)
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
      return ms
    }
    const nothing: number[] = []
    const version: number[] = []
    const parse: number[] = []
    const status: number[] = []
    // In turns, so that a slow moment of the machine meets all of them.
    for (let i = 0; i < ROUNDS; i++) {
      nothing.push(await time(['-e', '0']))
      version.push(await time([bin, '--version']))
      parse.push(await time([bare, file]))
      status.push(await time([bin, 'status', file, '--json']))
    }
    return [
      ratio('plimsoll --version ÷ node -e 0', median(version), median(nothing), 3),
      ratio('plimsoll status, 50 MB ÷ bare parse', median(status), median(parse), 1.5),
    ]
  },
}

/** A quotient of two times, with both in its note. */
export function ratio(what: string, ms: number, baseMs: number, limit: number): Measurement {
  return { what, value: ms / baseMs, unit: '×', limit, note: `${ms.toFixed(0)} ms ÷ ${baseMs.toFixed(0)} ms` }
}
