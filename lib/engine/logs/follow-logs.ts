import type { LogKind } from '../../core/logs/log-kinds'
import type { Cursor, SourceStamp } from '../read/ports'
import { SourceProblem } from '../read/source-problem'
import type { FoundLog, LogBatch, LogFolder, LogReader } from './log-ports'

/** How often folders are listed again because a log was put aside while it was being read. */
const LOOKS = 3

/** A file that could not be read; the others were. */
export type UnreadLog = { readonly file: string; readonly problem: string }

/**
 * Reads logs as they grow: each call of `read` answers what is new since the last one. A file that is put aside under
 * another name goes on being the same file, so that nothing is read twice or passed over.
 */
export class LogFollower {
  private cursors: Map<string, Cursor>
  private unread: UnreadLog[] = []
  private looked: readonly LogFolder[] = []

  /**
   * @param kinds null: all
   * @param known where files were read to before
   */
  constructor(
    private readonly reader: LogReader,
    private readonly kinds: readonly LogKind[] | null = null,
    known: readonly Cursor[] = [],
  ) {
    this.cursors = new Map(known.map((cursor) => [fileKey(cursor), cursor]))
  }

  /** What was in the folders when they were examined last. */
  get folders(): readonly LogFolder[] {
    return this.looked
  }

  /** What kept folders and files from being read the last time. */
  get problems(): readonly UnreadLog[] {
    return this.unread
  }

  async *read(): AsyncGenerator<LogBatch> {
    let seen = ''
    this.unread = []
    for (let look = 0; look < LOOKS; look++) {
      const folders = this.reader.folders()
      this.looked = folders
      const logs = folders
        .flatMap((folder) => folder.logs)
        .filter(({ kind }) => this.kinds === null || this.kinds.includes(kind))
      const here = logs.map(fileKey).sort().join(' ')
      if (here === seen) return
      seen = here
      this.unread = folders.flatMap(({ path, problem }) =>
        problem === undefined ? [] : [{ file: path, problem }],
      )
      const kept = new Set(logs.map(fileKey))
      for (const log of logs) yield* this.readOne(log, kept)
      this.cursors = new Map([...this.cursors].filter(([key]) => kept.has(key)))
    }
  }

  /** @param kept gets the file that was read, which another one may have replaced since it was listed */
  private async *readOne(log: FoundLog, kept: Set<string>): AsyncGenerator<LogBatch> {
    try {
      for await (const batch of this.reader.read(log, (file) => this.cursors.get(fileKey(file)) ?? null)) {
        this.cursors.set(fileKey(batch.cursor), batch.cursor)
        kept.add(fileKey(batch.cursor))
        if (batch.records.length > 0 || batch.broken.length > 0) yield batch
      }
    } catch (error) {
      if (!(error instanceof SourceProblem)) throw error
      // Gone since it was listed: put aside once too often.
      if (error.code !== 'missing') this.unread.push({ file: log.path, problem: error.message })
    }
  }
}

/** Names a file whatever it is called. */
export function fileKey({ dev, ino }: Pick<SourceStamp, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`
}
