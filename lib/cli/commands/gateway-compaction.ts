import { compactByGateway, type GatewayCompaction } from '../../engine/compact-by-gateway'
import type { Gateway } from '../../engine/gateway-port'
import type { InspectedSession } from '../../engine/inspect-session'
import { Lanes } from '../../engine/lanes'
import { figureCell, figureJson } from '../figure-json'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { note, write, writeJson } from '../output'
import type { Sources } from '../sources'

/** Has OpenClaw compact a session of its database, and says what the database says about it afterwards. */
export async function compactThroughGateway(
  io: Io,
  options: { readonly json?: boolean; readonly focus?: string },
  gateway: Gateway,
  { reader }: Sources,
  { store, transcript }: InspectedSession,
): Promise<ExitCode> {
  if (options.focus !== undefined)
    await note(io, 'The gateway takes no focus; its own configuration decides about the summary.')
  const request = { store, transcript, signal: io.untilStopped() }
  const result = await compactByGateway({ reader, lanes: new Lanes(1), gateway }, request)
  switch (result.kind) {
    case 'failed':
      throw new CliError(EXIT.refused, result.message, { reason: 'gateway' })
    case 'unverified':
      throw new CliError(EXIT.fault, result.message, { reason: 'unverified' })
    case 'stopped':
      throw new CliError(
        EXIT.refused,
        'Stopped. What the gateway had begun may still be done; "plimsoll compactions" tells.',
        { reason: 'stopped' },
      )
    case 'nothing': {
      const nothing = `Nothing to compact: ${result.reason ?? 'the gateway named no reason'}.`
      if (options.json) await writeJson(io, { by: 'gateway', nothing, reason: result.reason })
      else await write(io.stdout, `${nothing}\n`)
      return EXIT.done
    }
    case 'compacted':
      if (options.json) await writeJson(io, toJson(result))
      else
        await write(
          io.stdout,
          `Compacted by OpenClaw's gateway: ${figureCell(result.tokensBefore)} → ${figureCell(result.tokensAfter)} tokens. The database holds the record ${result.recordId}, and builds the context that it promises. It cannot be undone from here.\n`,
        )
      return EXIT.done
  }
}

function toJson({
  recordId,
  sessionId,
  firstKeptEntryId,
  tokensBefore,
  tokensAfter,
}: Extract<GatewayCompaction, { kind: 'compacted' }>) {
  return {
    by: 'gateway',
    session: sessionId,
    record: recordId,
    receipt: null,
    tokensBefore: figureJson(tokensBefore),
    tokensAfter: figureJson(tokensAfter),
    firstKeptEntryId,
    verified: true,
  }
}
