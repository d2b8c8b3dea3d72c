import type { RunTotals } from '../core/session-life/index-entry'
import { readFileState } from './file-state'
import type { FileState, Refusal, WriteResult } from './receipt'
import { asRefused, Refused } from './refusal'
import { appendLines } from './replace-file'
import { demandEntry, openSessionIndex } from './session-index'
import { type BeginRequest, closeSession, createSession } from './session-life'
import type { Writer } from './write-ports'

/** What a session goes through, in the order of seed 3; `assemble`, `execute` and `compact` repeat. */
export type SessionPhase = 'create' | 'start' | 'assemble' | 'execute' | 'compact' | 'close'

export type RunOptions = BeginRequest & {
  /** Told each phase as it begins. */
  readonly onPhase?: (phase: SessionPhase) => void
}

export type RunStart =
  | { readonly started: true; readonly run: SessionRun }
  | { readonly started: false; readonly refusal: Refusal }

/** Starts a run of a session, which is made when its key has none yet (M21). */
export async function startRun(writer: Writer, options: RunOptions): Promise<RunStart> {
  try {
    return await start(writer, options)
  } catch (error) {
    const reason = asRefused(error, options.place.folder)
    if (reason instanceof Refused) return { started: false, refusal: reason.refusal }
    throw reason
  }
}

async function start(writer: Writer, options: RunOptions): Promise<RunStart> {
  const { folder, key } = options.place
  let index = await openSessionIndex(writer, folder)
  if (!index.values.has(key)) {
    options.onPhase?.('create')
    const created = await createSession(writer, options)
    if (created.kind === 'refused') return { started: false, refusal: created.refusal }
    index = await openSessionIndex(writer, folder)
  }
  options.onPhase?.('start')
  const { sessionFile, sessionId } = demandEntry(index, key)
  const file =
    typeof sessionFile === 'string' ? sessionFile : writer.files.join(folder, `${String(sessionId)}.jsonl`)
  const state = await readFileState(writer, file)
  if (state !== null) return { started: true, run: new SessionRun(writer, options, file, state) }
  throw new Refused(
    'missing',
    `${file} is not there, though the index names it. Reset the session for a fresh start.`,
  )
}

/**
 * One run of a session by an agent that keeps its transcript through us. No lock is held while a model thinks: each
 * write takes it, and refuses when somebody else has written since ours.
 */
export class SessionRun {
  readonly file: string
  private readonly writer: Writer
  private readonly options: RunOptions
  private state: FileState

  constructor(writer: Writer, options: RunOptions, file: string, state: FileState) {
    this.writer = writer
    this.options = options
    this.file = file
    this.state = state
  }

  /** Says that a phase begins which happens elsewhere: a request is put together, or the history is compacted. */
  enter(phase: 'assemble' | 'compact'): void {
    this.options.onPhase?.(phase)
  }

  /** Adds the lines of a turn; when it answers, they are on the disk (M18), a first prompt without an answer too (M16). */
  async record(lines: readonly string[]): Promise<WriteResult> {
    const { place, actor, wait, onPhase } = this.options
    onPhase?.('execute')
    const result = await appendLines(this.writer, {
      intent: { kind: 'record', actor, reason: 'A turn is recorded.', session: place.key, summary: {} },
      target: { file: this.file, root: place.root, kind: 'openclaw' },
      expected: this.state,
      lines,
      wait,
    })
    if (result.kind === 'done') this.state = result.receipt.files[0]?.after ?? this.state
    return result
  }

  /** Ends the run: the index says what it measured. */
  close(totals: RunTotals): Promise<WriteResult> {
    const { place, actor, wait, onPhase } = this.options
    onPhase?.('close')
    return closeSession(this.writer, { place, actor, wait, totals })
  }
}
