import { type Cleanup, cleanupText, REMOVALS, type Removal } from '../../core/maintenance/cleanup'
import type { RefusedAnswer } from '../actions/action-answer'
import { formatBytes, formatQuantity } from '../text/format'

/** One thing that OpenClaw's maintenance would do, or did. */
export type CleanupLine = {
  readonly key: string
  /** `2 sessions`. */
  readonly what: string
  readonly does: string
  readonly why: string
}

/** A dry run of OpenClaw's own maintenance. */
export type CleanupView = {
  /** Sessions in the index, now and afterwards. */
  readonly before: number
  readonly after: number
  readonly lines: readonly CleanupLine[]
  readonly empty: boolean
  /** Names this very plan. */
  readonly fingerprint: string
}

/** What OpenClaw is asked besides. */
export type CleanupWishes = {
  /** Key of a session that must stay; null: OpenClaw alone decides. */
  readonly active: string | null
  /** Also remove sessions whose transcripts hold no message. */
  readonly fixMissing: boolean
}

/** What became of the wish to see one. */
export type CleanupAnswer = { readonly kind: 'planned'; readonly plan: CleanupView } | RefusedAnswer

export function cleanupView(cleanup: Cleanup): CleanupView {
  const { before, after, changes } = cleanup
  const fingerprint = cleanupText(cleanup)
  return { before, after, lines: cleanupLines(cleanup), empty: !changes, fingerprint }
}

const REMOVED: { readonly [R in Removal]: string } = {
  missing: 'their transcripts hold no message',
  dmScopeRetired: 'direct messages go to the main session now',
  modelRunPruned: 'old probes of a model',
  pruned: 'automation that was not used for too long',
  capped: 'more sessions than the cap',
}

/** What a cleanup does, thing by thing; none when it does nothing. */
export function cleanupLines({ removed, archived, files, disk }: Cleanup): readonly CleanupLine[] {
  const lines: CleanupLine[] = []
  const add = (key: string, count: number, noun: string, does: string, why: string) => {
    if (count > 0) lines.push({ key, what: formatQuantity(count, noun), does, why })
  }
  for (const name of REMOVALS) add(name, removed[name], 'session', 'out of the index', REMOVED[name])
  const aside = 'put aside, transcripts stay'
  add('age', archived.age, 'session', aside, 'not used for too long')
  add('cap', archived.cap, 'session', aside, 'more sessions than the cap')
  add('files', files.count, 'file', `deleted, ${formatBytes(files.bytes)}`, 'no session refers to them')
  if (disk !== null) {
    add('disk', disk.entries, 'session', 'out of the index', 'beyond the disk budget')
    add('disk files', disk.files, 'file', `deleted, ${formatBytes(disk.bytes)}`, 'beyond the disk budget')
  }
  return lines
}

/** What the database showed afterwards, in a sentence or two. */
export function effectText(effect: {
  readonly removed: readonly string[]
  readonly transcripts: number
  readonly keptInArchives: number
  readonly archivesGone: number
  readonly archived: readonly string[]
}): string {
  const { removed, transcripts, keptInArchives, archivesGone, archived } = effect
  const kept =
    transcripts === 0
      ? ''
      : ` Of ${formatQuantity(transcripts, 'transcript')} taken out, ${keptInArchives} ${keptInArchives === 1 ? 'is' : 'are'} kept in an archive.`
  const gone =
    archivesGone === 0
      ? ''
      : ` ${formatQuantity(archivesGone, 'archive')} ${archivesGone === 1 ? 'is' : 'are'} in the database no more.`
  return `${formatQuantity(removed.length, 'session')} left the index, ${formatQuantity(archived.length, 'session')} put aside; the rows of every other transcript are as they were.${kept}${gone}`
}
