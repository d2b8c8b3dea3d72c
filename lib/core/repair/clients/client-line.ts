import type { JsonObject } from '../../transcript/json'
import type { FindingClass } from '../finding'
import type { JsonEdit } from '../json-edit'

/** One line of a client's transcript while a repair is worked out; what few lines have is left out of most. */
export class ClientLine {
  readonly line: number
  /** Characters of a line that several entries share, from and up to. */
  readonly part: readonly [number, number] | undefined
  type = ''
  uuid: string | null = null
  /** As it is now; `written` is what the file says. */
  parent: string | null = null
  written: string | null = null
  /** Of a sub-agent, in the file of its parent. */
  side = false
  /** The response of the API that it is a block of. */
  response: string | null = null
  calls: readonly string[] = []
  results: readonly string[] = []
  edits: readonly JsonEdit[] = []
  /** Of the text, to know the same line again. */
  print = ''
  dropped = false
  /** What is wrong with it, in the order in which it was found. */
  readonly reasons: string[] = []
  /** Of a line with calls: session, folder, release and time, which a line that is put behind it has as well. */
  like: JsonObject | null = null
  /** JSON of a line that is in no file yet. */
  made: string | null = null

  constructor(line: number, part?: readonly [number, number]) {
    this.line = line
    this.part = part
  }

  /** All changes against what the file says. */
  changes(): readonly JsonEdit[] {
    if (this.parent === this.written) return this.edits
    return [...this.edits, { set: ['parentUuid'], value: JSON.stringify(this.parent) }]
  }
}

/** What is wrong with a line, and what a repair does about it. */
export type ReportFlaw = (found: FindingClass, line: ClientLine, fix: string) => void
