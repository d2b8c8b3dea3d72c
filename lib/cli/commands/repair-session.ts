import { repairTranscript } from '../../engine/repair-transcript'
import { inspectPorts } from '../../wire/transcript-check'
import { repairInDatabase } from '../database-repair'
import { EXIT, type ExitCode, type Io } from '../io'
import { openWriterOrFail, patiently, receiptOrFail } from '../open-writer'
import { note, write, writeJson } from '../output'
import { checkText, type RepairOptions, showCheck } from '../repair-report'
import { type RepairSource, repairSource } from '../repair-source'
import { setupOrFail } from '../setup-or-fail'
import { toTerminal } from '../terminal-text'

/** What `repair` does when it takes the stores: looks for damage in a session of theirs, or repairs it. */
export async function repairSession(io: Io, options: RepairOptions): Promise<ExitCode> {
  const source = await repairSource(io, options, options.session)
  if (options.apply) return applyRepair(io, options, source)
  return showCheck(io, options, source.kind === 'file' ? { kind: 'file', file: source.target.file } : source)
}

async function applyRepair(io: Io, options: RepairOptions, source: RepairSource): Promise<ExitCode> {
  if (source.kind === 'read-only') return repairInDatabase(io, options, source)
  const writer = await openWriterOrFail(io, setupOrFail(io))
  const { check, result } = await repairTranscript(writer, inspectPorts, {
    target: source.target,
    actor: 'cli',
    session: source.session,
    rules: options.rules,
    expectedHash: null,
    wait: patiently(io),
  })
  const receipt = await receiptOrFail(io, result)
  const { file } = source.target
  const [change] = receipt?.files ?? []
  if (options.json) {
    await writeJson(io, {
      receipt: receipt?.id ?? null,
      file,
      before: change?.before?.hash ?? null,
      after: change?.after?.hash ?? null,
      backup: change?.backup ?? null,
      verified: receipt?.verified ?? true,
      findings: check?.findings.length ?? 0,
      ...(receipt === null ? { nothing: 'Nothing changed: there is nothing to repair.' } : {}),
    })
  } else if (receipt === null || check === null) {
    await write(io.stdout, `Nothing changed: ${toTerminal(file)} needs no repair.\n`)
  } else {
    await write(io.stdout, checkText(file, check))
    await write(
      io.stdout,
      `\nRepaired and verified. The file as it was: ${toTerminal(change?.backup ?? 'not kept')}\n"plimsoll undo ${receipt.id}" takes this back.\n`,
    )
  }
  if (check?.kind === 'foreign') for (const { text } of check.notes) await note(io, text)
  return EXIT.done
}
