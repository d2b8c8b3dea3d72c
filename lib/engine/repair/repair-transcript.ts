import type { RepairCheck } from '../../core/repair/line-check'
import { type CheckRules, checkRules, checkTranscript } from '../write/check-transcript'
import type { WriteRefusal, WriteResult } from '../write/receipt'
import { Refused } from '../write/refusal'
import { replaceFile } from '../write/replace-file'
import { rewriteLines } from '../write/rewrite-lines'
import type { Writer } from '../write/write-ports'
import type { WaitOptions, WriteTarget } from '../write/write-requests'
import { type InspectPorts, inspectTranscript } from './inspect-transcript'

export type RepairRequest = {
  readonly target: WriteTarget
  readonly actor: string
  /** Session key or id, where one is known. */
  readonly session: string | null
  readonly rules?: CheckRules
  /** The hash of the file whose findings were shown; another file is not repaired. null: whatever it is. */
  readonly expectedHash: string | null
  readonly wait: WaitOptions
}

/** What was found, and what came of it. `check` is null when the file could not even be read. */
export type RepairOutcome = { readonly check: RepairCheck | null; readonly result: WriteResult }

/**
 * Checks a transcript and repairs what is wrong with it: locked, backed up, verified, with a receipt that can be
 * undone.
 */
export async function repairTranscript(
  writer: Writer,
  reading: Pick<InspectPorts, 'decode' | 'skeleton' | 'pieces'>,
  request: RepairRequest,
): Promise<RepairOutcome> {
  const { target } = request
  const rules = checkRules(target.kind, request.rules ?? 'late')
  const pieces = (path: string) => stoppable(reading.pieces(path), request.wait.signal)
  const inspection = await inspectTranscript({ ...writer, ...reading, pieces }, target.file, rules)
  if (inspection.kind === 'refused') return { check: null, result: inspection }
  const { check, state } = inspection
  if (request.expectedHash !== null && request.expectedHash !== state.hash)
    return { check, result: refuse('changed', `${target.file} is not the file that was looked at any more.`) }
  if (check.kind === 'headless') return { check, result: refuse('unsafe', headlessReason(target.file)) }
  if (check.ok) return { check, result: { kind: 'unchanged' } }
  const result = await replaceFile(writer, {
    intent: {
      kind: 'repair',
      actor: request.actor,
      reason: repairReason(check),
      session: request.session,
      summary: summaryOf(check),
    },
    target,
    expected: state,
    produce: (read) => rewriteLines(read, check.plan, reading.decode),
    verify: async (read) => {
      const { ok, findings } = await checkTranscript(read(), reading, rules)
      return ok
        ? null
        : `after the repair there would still be ${findings[0]?.class} on line ${findings[0]?.line}`
    },
    wait: request.wait,
  })
  return { check, result }
}

/** @throws Refused when the signal aborts */
async function* stoppable(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    if (signal?.aborted) throw new Refused('stopped', 'Stopped before anything was changed.')
    yield piece
  }
}

function refuse(code: WriteRefusal['code'], message: string): WriteResult {
  return { kind: 'refused', refusal: { code, message } }
}

/** Without a header the session of a transcript is unknown, so that no repair can be checked. */
function headlessReason(file: string): string {
  return `${file} does not begin with a session header, so its session is unknown: it is left as it is. Put its header back from a backup, or begin a new session.`
}

function repairReason({ findings }: RepairCheck): string {
  const classes = [...new Set(findings.map((finding) => finding.class))]
  const shown = classes.slice(0, 4).join(', ')
  const more = classes.length > 4 ? ` and ${classes.length - 4} more kinds` : ''
  return `Repaired ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}: ${shown}${more}.`
}

function summaryOf({ findings, plan, entries }: RepairCheck) {
  const count = (kind: string) => plan.steps.filter((step) => step.kind === kind).length
  return {
    findings: findings.length,
    changed: count('change'),
    dropped: count('drop'),
    inserted: count('insert'),
    moved: count('move'),
    entriesBefore: entries.before,
    entriesAfter: entries.after,
  }
}
