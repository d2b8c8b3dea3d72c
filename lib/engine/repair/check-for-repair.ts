import { maskSecrets } from '../../core/redaction/secrets'
import type { RepairCheck } from '../../core/repair/line-check'
import { type CheckRules, checkTranscript } from '../write/check-transcript'
import type { FileState, WriteRefusal } from '../write/receipt'
import { type InspectPorts, inspectTranscript, type PeekPorts, peekTranscript } from './inspect-transcript'
import { type RepairDiffStep, repairDiff } from './repair-diff'
import type { ReadOnlySubject } from './repair-subject'

/** What is checked: a file, or the lines of what we do not write. */
export type CheckSource = { readonly kind: 'file'; readonly file: string } | ReadOnlySubject

export type CheckRequest = {
  readonly rules?: CheckRules
  /** So many steps of the plan are answered with the texts that they change; 0 reads no text. */
  readonly steps: number
  /** Leaves credentials in these texts. */
  readonly reveal?: boolean
}

export type CheckedTranscript =
  | {
      readonly kind: 'checked'
      readonly check: RepairCheck
      /** The file that was checked; null without a hash, and for what is not a separate file. */
      readonly state: FileState | null
      readonly steps: readonly RepairDiffStep[]
      /** Why it is not repaired here, and what to do instead; null when it can be. */
      readonly readOnly: string | null
    }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

/**
 * Looks for damage in a transcript, plans its repair, and reads the texts that the repair would change. Writes nothing.
 * @param ports with a hash, `state` says which file it was; that takes half as long again
 */
export async function checkForRepair(
  ports: PeekPorts | InspectPorts,
  source: CheckSource,
  { rules = 'late', steps: most, reveal = false }: CheckRequest,
): Promise<CheckedTranscript> {
  const stepsOf = async (check: RepairCheck, chunks: AsyncIterable<Uint8Array>) => {
    if (most === 0 || check.plan.steps.length === 0) return []
    const steps = await repairDiff(chunks, check.plan, ports.decode, most)
    return reveal ? steps : steps.map(covered)
  }
  if (source.kind === 'read-only') {
    const check = await checkTranscript(source.lines(), ports, rules)
    const steps = await stepsOf(check, source.lines())
    const readOnly = check.kind === 'headless' ? source.headless : source.why
    return { kind: 'checked', check, state: null, steps, readOnly }
  }
  const { file } = source
  const found =
    'sha256' in ports ? await inspectTranscript(ports, file, rules) : await peekTranscript(ports, file, rules)
  if (found.kind === 'refused') return found
  const { check } = found
  const steps = await stepsOf(check, ports.pieces(await ports.files.realPath(file)))
  const state = found.kind === 'inspected' ? found.state : null
  return { kind: 'checked', check, state, steps, readOnly: null }
}

function covered(step: RepairDiffStep): RepairDiffStep {
  const cover = (text: string | null) => (text === null ? null : maskSecrets(text))
  return { ...step, before: cover(step.before), after: cover(step.after) }
}
