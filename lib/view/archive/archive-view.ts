import type { Bytes, Milliseconds } from '../../core/units/units'
import { type SessionNames, sessionTitle } from '../session/session-title'
import { absoluteTimeUtc } from '../text/time'
import { visibleLine } from '../text/visible-text'
import { dueWords, goneWords } from './archive-words'

/** What the page of a session says when its transcript is no longer in its store. */
export type GoneNote = {
  readonly words: string
  /** The command that puts it back; null: the archive has no copy. */
  readonly command: string | null
}

/** What is known of a transcript that is no longer in its store. */
export type GoneFacts = {
  /** Of the copy in the archive; null: there is none. */
  readonly kept: { readonly id: string; readonly copiedAt: Milliseconds; readonly isFile: boolean } | null
  /** When it was found missing, and by which rule; null while that is not noted yet. */
  readonly mark: { readonly at: Milliseconds; readonly rule: string | null } | null
}

/** Who deleted a transcript and when, as far as it is known, and what is left of it. */
export function goneNote({ kept, mark }: GoneFacts): GoneNote {
  if (kept === null) {
    return {
      words:
        'Its transcript is no longer in its store, and the archive has no copy: what was measured and searched stays, its texts do not.',
      command: null,
    }
  }
  const words =
    mark === null
      ? `No longer in its store, kept in the archive as it was on ${absoluteTimeUtc(kept.copiedAt)}.`
      : `${goneWords({ at: mark.at, rule: visible(mark.rule) })}.`
  const where = kept.isFile ? '' : ' --to FILE'
  return { words, command: `plimsoll archive restore ${kept.id}${where} --apply` }
}

function visible(rule: string | null): string | null {
  return rule === null ? null : visibleLine(rule)
}

/** A transcript that its runtime deletes within a week. */
type DueView = {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly href: string
  readonly when: string
  readonly rule: string
  /** The archive has it as it is now. */
  readonly isKept: boolean
}

/** The archive, and what the runtimes delete within a week. */
export type ArchiveView = {
  readonly enabled: boolean
  readonly transcripts: number
  readonly bytes: Bytes
  readonly quotaBytes: Bytes
  readonly due: readonly DueView[]
  /** All that are due; the list may be shorter. */
  readonly dueTotal: number
}

export type ArchiveFacts = Omit<ArchiveView, 'due'> & {
  readonly due: readonly (SessionNames & {
    readonly id: string
    readonly path: string
    readonly at: Milliseconds
    readonly rule: string
    readonly isKept: boolean
  })[]
  readonly now: Milliseconds
}

export function archiveView({ due, now, ...facts }: ArchiveFacts): ArchiveView {
  return {
    ...facts,
    due: due.map((one) => ({
      id: one.id,
      title: sessionTitle(one),
      path: visibleLine(one.path),
      href: `/sessions/${one.id}`,
      when: dueWords(one.at, now),
      rule: visibleLine(one.rule),
      isKept: one.isKept,
    })),
  }
}
