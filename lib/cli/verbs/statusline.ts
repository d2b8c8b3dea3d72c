import type { Readable } from 'node:stream'
import { outlookOf } from '../../compose/session-outlook'
import { readStatuslineInput, type StatuslineInput } from '../../core/sources/claude-code/statusline-input'
import { reasonOf } from '../../core/words/reason-of'
import { statusLineText } from '../../view/session/status-line'
import { EXIT, type ExitCode, type Io } from '../io'
import { figureJson } from '../print/figure-json'
import { write, writeJson } from '../print/output'
import { toTerminal } from '../print/terminal-text'

/** Claude Code's document has some kilobytes; more is none of its. UTF-16 units. */
const MOST_INPUT = 1_000_000

/**
 * One line for Claude Code's status line, from the JSON on standard input. It always ends with 0 and with a line: Claude
 * Code leaves the line blank for any other code, and for no output.
 */
export async function statusline(io: Io, { json }: { readonly json?: boolean }): Promise<ExitCode> {
  try {
    const input = readStatuslineInput(await readAll(io.stdin))
    if (input === null) await show(io, json, 'no session: standard input holds no JSON of Claude Code')
    else await showOutlook(io, json, input)
  } catch (error) {
    await show(io, json, reasonOf(error))
  }
  return EXIT.done
}

async function showOutlook(io: Io, json: boolean | undefined, input: StatuslineInput): Promise<void> {
  const outlook = outlookOf(input, { env: io.env, cwd: io.cwd, now: Date.now() })
  if (!json) return write(io.stdout, `${toTerminal(statusLineText(outlook))}\n`)
  const { next, nextUsd, coldUsd } = outlook
  const figures = { next: figureJson(next), nextUsd: figureJson(nextUsd), coldUsd: figureJson(coldUsd) }
  return writeJson(io, { ...outlook, ...figures })
}

function show(io: Io, json: boolean | undefined, problem: string): Promise<void> {
  return json ? writeJson(io, { problem }) : write(io.stdout, `plimsoll: ${toTerminal(problem)}\n`)
}

/** All of standard input; of a terminal nothing, as no document would come. */
async function readAll(stdin: Readable & { readonly isTTY?: boolean }): Promise<string> {
  if (stdin.isTTY) return ''
  let text = ''
  stdin.setEncoding('utf8')
  for await (const piece of stdin) {
    text += String(piece)
    if (text.length > MOST_INPUT) return ''
  }
  return text
}
