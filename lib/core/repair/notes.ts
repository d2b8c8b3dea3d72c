import { hasLoneSurrogate } from './content-flaws'
import type { DraftEntry } from './draft'
import type { Note, NoteClass } from './finding'
import { isFailed } from './tool-frames'

/** Notes about a transcript; repeated ones are counted. */
export class Notes {
  private readonly notes = new Map<NoteClass, Note>()

  add(kind: NoteClass, line: number, text: string): void {
    const known = this.notes.get(kind)
    this.notes.set(kind, { class: kind, line: known?.line ?? line, count: (known?.count ?? 0) + 1, text })
  }

  /** About how a line is written. */
  ofLine(text: string, line: number): void {
    if (text.charCodeAt(text.length - 1) === CARRIAGE_RETURN)
      this.add('carriage-returns', line, 'Lines end with a carriage return; runtimes do not mind.')
    if (hasLoneSurrogate(text)) this.add('lone-surrogate', line, LONE_SURROGATE_TEXT)
  }

  ofEntry(entry: DraftEntry): void {
    if (entry.calls !== undefined && isFailed(entry)) this.add('failed-turn', entry.line, FAILED_TURN_TEXT)
    if (entry.rawType !== undefined)
      this.add('unknown-type', entry.line, 'Entries of a type that is not known here are kept as they are.')
    if (entry.unusable !== undefined)
      this.add(
        'unusable-checkpoint',
        entry.line,
        `Checkpoints of a provider are not used, and the full history is sent: ${entry.unusable}.`,
      )
  }

  clear(): void {
    this.notes.clear()
  }

  list(): readonly Note[] {
    return [...this.notes.values()]
  }
}

const CARRIAGE_RETURN = 13

const LONE_SURROGATE_TEXT =
  'Texts hold halves of characters. Runtimes replace them when they send; other senders may be refused.'

const FAILED_TURN_TEXT =
  'Turns that failed or were stopped keep their tool calls without results; runtimes leave such turns out.'
