import { Writable } from 'node:stream'
import type { OfferedRemedy } from '../../../engine/findings/offer-remedy'
import type { StoredTranscript } from '../../../engine/read/sessions-once'
import { EXIT, type ExitCode, type Io } from '../../io'
import { write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'

type ActionRemedy = Extract<OfferedRemedy, { kind: 'command' }>

type ActionOptions = { readonly finding: string; readonly dryRun?: boolean; readonly json?: boolean }

/**
 * One of our own actions that cures a finding: its preview with `--dry-run`, else the action itself, by the verb that
 * does it, with its lock, its backup and its receipt. null: the verb of this action changes nothing by itself.
 */
export async function carryOutAction(
  io: Io,
  { finding, dryRun = false, json = false }: ActionOptions,
  { action, words, others, argv }: ActionRemedy,
  { store, transcript }: StoredTranscript,
): Promise<ExitCode | null> {
  const target = { session: transcript.sessionId, store: [store.root], json }
  const now = !dryRun
  const run = verbOf(action)
  if (run === null) return null
  if (!json) {
    await write(
      io.stdout,
      linesOf([...others, words, `${dryRun ? 'Preview of' : 'Does'}: ${argv.join(' ')}`, '']),
    )
    return run(io)
  }
  const { sink, text } = collector()
  const code = await run({ ...io, stdout: sink })
  const result: unknown = text() === '' ? null : JSON.parse(text())
  await writeJson(io, {
    ...{ finding, kind: 'action', action, words, others, argv, dryRun },
    changed: now && code === EXIT.done,
    result,
  })
  return code

  function verbOf(name: ActionRemedy['action']): ((to: Io) => Promise<ExitCode>) | null {
    switch (name) {
      case 'repair':
        return async (to) =>
          (await import('../repair/repair')).repair(to, {
            ...target,
            ...(now ? { apply: true } : { check: true }),
            rules: 'late',
          })
      case 'compact':
        return async (to) =>
          (await import('../compaction/compact')).compact(to, {
            ...target,
            ...(now ? { now: true } : { dryRun: true }),
            call: 'next',
          })
      case 'maintain':
        return async (to) =>
          (await import('../maintain')).maintain(to, { store: target.store, json, enforce: now })
      default:
        return null
    }
  }
}

/** Takes what a verb writes. */
function collector(): { readonly sink: Writable; readonly text: () => string } {
  const parts: Buffer[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      parts.push(chunk)
      done()
    },
  })
  return { sink, text: () => Buffer.concat(parts).toString() }
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${toTerminal(line)}\n`).join('')
}
