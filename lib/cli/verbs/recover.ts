import { resolve } from 'node:path'
import { recoverPorts, writeRecovered } from '../../compose/cold/cold'
import { openLog } from '../../compose/logs'
import type { Setup } from '../../compose/open'
import { maskSecrets } from '../../core/redaction/secrets'
import type { ColdPlace } from '../../engine/cold/cold-places'
import type { ColdChunk } from '../../engine/cold/cold-store'
import { copyChunk } from '../../engine/cold/copy-chunk'
import type { RecoveryCause } from '../../engine/cold/log-recovery'
import { expiredRefusal, recoverChunk } from '../../engine/cold/recover-chunk'
import type { WriteRefusal } from '../../engine/write/receipt'
import { backWords } from '../../view/cold/cold-outcomes'
import { policiesFor } from '../choose/chosen-policy'
import { chunkOrFail } from '../choose/cold-places'
import { findSession } from '../choose/find-session'
import type { ReadVerbOptions } from '../choose/read-options'
import { setupOrFail } from '../choose/setup-or-fail'
import { openSources } from '../choose/sources'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { openWriterOrFail, patiently } from '../open-writer'
import { timeJson } from '../print/figure-json'
import { note, write, writeJson } from '../print/output'
import { toTerminal } from '../print/terminal-text'

export type RecoverOptions = ReadVerbOptions & {
  readonly chunkId: string
  /** `stdout`, `transcript` or a file. */
  readonly to: string
  readonly at: 'neighbourhood' | 'end'
  readonly session?: string
  readonly policy?: string
  /** At a terminal: credentials too. */
  readonly reveal?: boolean
}

/** Named by hand. */
const BY_HAND: RecoveryCause = { trigger: 'manual', query: null, score: null }

type Recovery = {
  readonly setup: Setup
  readonly place: ColdPlace
  readonly chunk: ColdChunk
}

/** Brings a chunk back from cold storage: to standard output, into a file, or into its transcript. */
export async function recover(io: Io, options: RecoverOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const { chunkId, session: prefer } = options
  const { chunk, place } = await chunkOrFail(io, await policiesFor(io, options), chunkId, { prefer })
  const refusal = expiredRefusal(chunk, place.now())
  if (refusal !== null) throw refused(refusal, chunk)
  const recovery = { setup, place, chunk }
  if (options.to === 'transcript') return toTranscript(io, options, recovery)
  const toStdout = options.to === 'stdout'
  const deliver = () => (toStdout ? show(io, options, chunk) : save(io, options, chunk))
  const log = openLog(setup)(place.policy.logs)
  const destination = toStdout ? 'stdout' : 'file'
  const result = await copyChunk({ now: place.now, log, deliver }, chunk, { destination, cause: BY_HAND })
  if (result.kind === 'refused') throw refused(result.refusal, chunk)
  for (const text of result.notes) await note(io, text)
  return EXIT.done
}

function refused({ code, message }: WriteRefusal, { chunkId }: ColdChunk): CliError {
  const way = `As long as it is not purged, "plimsoll cold-storage extend ${chunkId} --days N" keeps it on.`
  return new CliError(EXIT.refused, code === 'expired' ? `${message} ${way}` : message, { reason: code })
}

async function show(io: Io, { json, reveal }: RecoverOptions, chunk: ColdChunk): Promise<null> {
  // At a terminal control characters would act; anywhere else every byte counts.
  const isTerminal = 'isTTY' in io.stdout && io.stdout.isTTY === true
  const whole = chunk.content
  const content = isTerminal && reveal !== true ? maskSecrets(whole) : whole
  if (json) await writeJson(io, { ...recoveryJson(chunk), to: 'stdout', content })
  else {
    await write(io.stdout, isTerminal ? `${content.split('\n').map(toTerminal).join('\n')}\n` : content)
  }
  if (content !== whole)
    await note(io, 'Credentials in it are covered; "--reveal" shows them, and "--to" brings all of it back.')
  return null
}

async function save(io: Io, { json, to }: RecoverOptions, chunk: ColdChunk): Promise<WriteRefusal | null> {
  const path = resolve(io.cwd, to)
  const refusal = await writeRecovered(path, chunk)
  if (refusal !== null) return refusal
  if (json) await writeJson(io, { ...recoveryJson(chunk), to: path })
  else await write(io.stdout, `${toTerminal(chunk.chunkId)} is in ${toTerminal(path)}.\n`)
  return null
}

async function toTranscript(io: Io, options: RecoverOptions, recovery: Recovery): Promise<ExitCode> {
  const { setup, place, chunk } = recovery
  const sources = await openSources(io, options.store)
  const { store, transcript } = await findSession(io, sources, options.session ?? chunk.sessionId)
  const writer = await openWriterOrFail(io, setup)
  const result = await recoverChunk(recoverPorts(setup, writer, place.policy), {
    chunk,
    store,
    transcript,
    wanted: options.at,
    cause: BY_HAND,
    actor: 'cli',
    wait: patiently(io),
  })
  if (result.kind === 'refused') throw refused(result.refusal, chunk)
  const base = { ...recoveryJson(chunk), to: 'transcript', transcript: transcript.path }
  if (result.kind === 'unchanged') {
    if (options.json) await writeJson(io, { ...base, receipt: null })
    else await write(io.stdout, `${toTerminal(chunk.chunkId)} is back in the context already.\n`)
    return EXIT.done
  }
  const { place: back, receipt, entryId } = result
  if (options.json)
    await writeJson(io, {
      ...base,
      entry: entryId,
      place: back.kind,
      why: back.kind === 'end' ? back.why : null,
      receipt: receipt.id,
      verified: receipt.verified,
    })
  else
    await write(
      io.stdout,
      `${toTerminal(chunk.chunkId)} is back ${backWords(back)}, as entry ${entryId}.\n"plimsoll undo ${receipt.id}" takes this back.\n`,
    )
  for (const text of result.notes) await note(io, text)
  return EXIT.done
}

function recoveryJson({ chunkId, sessionId, at, until, tokens, reason, score }: ColdChunk) {
  return {
    id: chunkId,
    session: sessionId,
    at: timeJson(at),
    until: timeJson(until),
    tokens,
    reason,
    score,
  }
}
