import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { archiveIo, placeOfVersion, type RestorePlace } from '../../../compose/archive'
import type { ArchivedVersion } from '../../../core/archive/archived-version'
import { restoreTranscript, tryRestore } from '../../../engine/archive/restore-transcript'
import type { KeptTranscript } from '../../../engine/archive/survey-archive'
import { formatBytes } from '../../../view/text/format'
import { type ArchiveWork, chooseArchived, surveyWithNotes } from '../../choose/choose-archived'
import { openSources } from '../../choose/sources'
import { CliError, EXIT, type ExitCode } from '../../io'
import { openWriterOrFail, patiently, receiptOrFail } from '../../open-writer'
import { write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'

/** Puts a transcript back, byte for byte, as a new file; without `--apply` it is only unpacked and checked. */
export async function restore(work: ArchiveWork): Promise<ExitCode> {
  const { io, setup, options, folder } = work
  const [wanted, ...others] = options.rest
  if (wanted === undefined || others.length > 0) {
    throw new CliError(EXIT.usage, 'Say which one: plimsoll archive restore ID [--to FILE] [--apply]')
  }
  const { transcripts } = await surveyWithNotes(work)
  const chosen = chooseArchived(transcripts, wanted)
  const version = await versionOf(work, chosen)
  const place = await placeFor(work, version)
  if (!place.ok) throw new CliError(EXIT.refused, place.message, { reason: 'not-supported' })
  const { file } = place
  const said = {
    id: version.id,
    session: version.sessionId,
    version: version.number,
    file,
    bytes: version.size,
  }
  if (!options.apply) {
    const trial = await tryRestore({ ...archiveIo, folder }, version, file)
    if (trial.kind === 'refused') throw new CliError(EXIT.refused, trial.message, { reason: trial.code })
    if (options.json) {
      await writeJson(io, { ...said, dryRun: true, would: trial.kind, sha256: trial.sha256, receipt: null })
    } else {
      const what = `${toTerminal(file)}, ${formatBytes(version.size)}, SHA-256 ${trial.sha256}`
      await write(
        io.stdout,
        trial.kind === 'same'
          ? `It is there already, byte for byte: ${what}.\n`
          : `Would be written: ${what}. --apply does it.\n`,
      )
    }
    return EXIT.done
  }
  const writer = await openWriterOrFail(io, setup)
  // The runtime may have deleted the folder with its last file.
  if (options.to === undefined) await mkdir(dirname(file), { recursive: true })
  const result = await restoreTranscript(writer, folder, {
    ...place,
    version,
    actor: 'cli',
    wait: patiently(io),
  })
  const receipt = await receiptOrFail(io, result)
  if (options.json) {
    const sha256 = receipt?.files[0]?.after?.hash ?? null
    await writeJson(io, {
      ...said,
      dryRun: false,
      sha256,
      receipt: receipt?.id ?? null,
      verified: receipt?.verified ?? true,
    })
  } else if (receipt === null) {
    await write(io.stdout, `Nothing changed: ${toTerminal(file)} holds it already, byte for byte.\n`)
  } else {
    await write(
      io.stdout,
      `${toTerminal(file)} is back, byte for byte (${formatBytes(version.size)}).\n"plimsoll undo ${receipt.id}" takes this back.\n`,
    )
  }
  return EXIT.done
}

async function versionOf({ folder, options }: ArchiveWork, chosen: KeptTranscript): Promise<ArchivedVersion> {
  const { newest, older } = chosen
  if (options.number === undefined || options.number === newest.number) return newest
  for await (const found of folder.versions()) {
    if ('version' in found && found.version.id === newest.id && found.version.number === options.number) {
      return found.version
    }
  }
  const numbers = [...older, newest.number].join(', ')
  throw new CliError(EXIT.usage, `There is no version ${options.number} of it; there is ${numbers}.`)
}

async function placeFor({ io, options }: ArchiveWork, version: ArchivedVersion): Promise<RestorePlace> {
  const { stores } = await openSources(io, options.store)
  if (options.to === undefined) return placeOfVersion(version, stores)
  const file = resolve(io.cwd, options.to)
  // Whose lock is taken beside a file that is in no store does not matter.
  const kind = stores.find(({ id }) => id === version.store.id)?.kind ?? 'pi'
  return { ok: true, file, root: dirname(file), kind }
}
