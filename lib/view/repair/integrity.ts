import type { Finding, Note } from '../../core/repair/finding'
import { importLoss } from '../../core/repair/import-loss'
import type { RepairCheck } from '../../core/repair/line-check'
import type { RefusedAnswer } from '../actions/action-answer'
import { formatQuantity } from '../text/format'
import { type FindingGroup, groupFindings } from './repair-groups'

/** One entry that a repair changes, with texts cut to a bounded length. */
export type IntegrityStep = {
  readonly kind: 'change' | 'drop' | 'insert' | 'move'
  readonly line: number
  readonly entryId: string | null
  readonly role: string | null
  readonly reason: string
  readonly before: string | null
  readonly after: string | null
}

export type IntegrityRefusal = {
  readonly family: string
  readonly own: boolean
  readonly words: string
  readonly line: number
  readonly healed: boolean
}

/** Whether a session can be gone on with. */
type Verdict = {
  readonly tone: 'ok' | 'attention' | 'danger'
  readonly title: string
  readonly words: string
}

/** The Integrity tab. Plain data. */
export type IntegrityView = {
  readonly path: string
  readonly verdict: Verdict
  readonly groups: readonly (Omit<FindingGroup, 'findings'> & {
    readonly count: number
    readonly shown: readonly Finding[]
  })[]
  readonly notes: readonly Note[]
  /** null: what providers say is not worked out for its runtime, which puts requests in order itself. */
  readonly refusals: readonly IntegrityRefusal[] | null
  /** How many refusals would be left after the repair that no runtime heals. */
  readonly refusalsLeft: number
  readonly steps: readonly IntegrityStep[]
  readonly changes: number
  readonly entries: RepairCheck['entries']
  /** What OpenClaw's import into its database would lose, now and after a repair; null when nothing. */
  readonly importWords: string | null
  /** SHA-256 of the file that was checked; null when it is not its own file. */
  readonly hash: string | null
  /** Why it is not repaired here; null when it can be. */
  readonly readOnly: string | null
  /** OpenClaw's own doctor can write the header that is missing. */
  readonly byDoctor: boolean
  /** Who works with the session now. */
  readonly owner: string | null
}

/** Findings of one class that are listed by line. */
const SHOWN = 30

/** What a check found, made ready for the page. */
export function integrityView(
  check: RepairCheck,
  more: Pick<IntegrityView, 'path' | 'steps' | 'hash' | 'readOnly' | 'byDoctor' | 'owner'> & {
    readonly imported: boolean
  },
): IntegrityView {
  const { imported, ...facts } = more
  return {
    ...facts,
    verdict: verdictOf(check, more),
    groups: groupFindings(check.findings, check.form).map(({ findings, ...group }) => ({
      ...group,
      count: findings.length,
      shown: findings.slice(0, SHOWN),
    })),
    notes: check.notes,
    refusals:
      check.form !== undefined
        ? null
        : check.refusals.before.map(({ family, own, because, count, line, healed }) => ({
            family: FAMILY_NAMES[family] ?? family,
            own,
            words: count > 1 ? `${because} (and ${count - 1} more)` : because,
            line,
            healed,
          })),
    refusalsLeft: check.refusals.after.filter(({ healed }) => !healed).length,
    changes: check.plan.steps.length,
    entries: check.entries,
    importWords: imported ? importWords(check) : null,
  }
}

function importWords(check: RepairCheck): string | null {
  const loss = importLoss(check)
  if (loss === null) return null
  const { lost, lostAfterRepair } = loss
  const then = lostAfterRepair === 0 ? 'none' : `only ${lostAfterRepair}, which cannot be kept`
  return `OpenClaw’s move into its database would lose ${formatQuantity(lost, 'entry', 'entries')}: it keeps only what is before the first bad line. After a repair it loses ${then}.`
}

const FAMILY_NAMES: { readonly [family: string]: string } = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  mistral: 'Mistral',
}

function verdictOf(
  check: RepairCheck,
  { owner, byDoctor, hash }: Pick<IntegrityView, 'owner' | 'byDoctor' | 'hash'>,
): Verdict {
  const { findings } = check
  if (check.kind === 'headless' && byDoctor)
    return {
      tone: 'danger',
      title: 'Not safe to resume',
      words: 'No session header says whose transcript this is. OpenClaw’s own doctor can write it.',
    }
  if (check.kind === 'headless')
    return {
      tone: 'danger',
      title: 'Not safe to resume, and not to be repaired',
      words:
        'No session header says whose transcript this is. It is left as it is; put its header back from a backup, or begin a new session.',
    }
  if (check.kind === 'foreign' || check.kind === 'empty')
    return { tone: 'ok', title: 'Nothing to check', words: check.notes[0]?.text ?? '' }
  const count = formatQuantity(findings.length, 'finding')
  if (findings.some(({ risk }) => risk === 'high'))
    return {
      tone: 'danger',
      title: 'Not safe to resume',
      words: `${count}, of which some make the runtime fail or lose history. Repair it first.`,
    }
  if (findings.length > 0)
    return {
      tone: 'attention',
      title: 'Can be resumed, with losses',
      words: `${count}: parts of the history are not seen, or providers may refuse it. Repair makes it whole.`,
    }
  const entries = `${formatQuantity(check.entries.before, 'entry', 'entries')}, nothing to repair.`
  // Who works with a session is only seen by the locks of its file.
  if (hash === null)
    return {
      tone: 'ok',
      title: 'Sound',
      words: `${entries} Whether it is in use now is not known here.`,
    }
  return { tone: 'ok', title: owner === null ? 'Safe to resume' : 'Sound, and in use', words: entries }
}

/** What became of the wish to repair. */
export type RepairAnswer =
  | {
      readonly kind: 'repaired'
      readonly receipt: string
      readonly backup: string | null
      readonly notes: readonly string[]
    }
  /** By OpenClaw, which cannot be undone from here. */
  | { readonly kind: 'by-openclaw'; readonly receipt: string; readonly words: string }
  | { readonly kind: 'unchanged' }
  | RefusedAnswer
