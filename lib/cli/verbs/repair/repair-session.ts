import { inspectPorts } from '../../../compose/transcript-check'
import type { RepairSubject } from '../../../engine/repair/repair-subject'
import { repairTranscript } from '../../../engine/repair/repair-transcript'
import { checkRules } from '../../../engine/write/check-transcript'
import { NOTHING_TO_REPAIR } from '../../../view/repair/repair-outcome'
import { repairSource } from '../../choose/repair-source'
import { setupOrFail } from '../../choose/setup-or-fail'
import { repairInDatabase } from '../../database-repair'
import { EXIT, type ExitCode, type Io } from '../../io'
import { openWriterOrFail, patiently, receiptOrFail } from '../../open-writer'
import { note, write, writeJson } from '../../print/output'
import { checkText, type RepairOptions, showCheck } from '../../print/repair-report'
import { toTerminal } from '../../print/terminal-text'

/** What `repair` does when it takes the stores: looks for damage in a session of theirs, or repairs it. */
export async function repairStores(io: Io, options: RepairOptions): Promise<ExitCode> {
  const source = await repairSource(io, options, options.session)
  if (options.apply) return applyRepair(io, options, source)
  const kind = source.kind === 'file' ? source.target.kind : source.store.kind
  return showCheck(io, { ...options, rules: checkRules(kind, options.rules) }, source)
}

async function applyRepair(io: Io, options: RepairOptions, source: RepairSubject): Promise<ExitCode> {
  if (source.kind === 'read-only') return repairInDatabase(io, options, source)
  const writer = await openWriterOrFail(io, setupOrFail(io))
  const { check, result } = await repairTranscript(writer, inspectPorts, {
    ...source,
    actor: 'cli',
    rules: options.rules,
    expectedHash: null,
    wait: patiently(io),
  })
  const receipt = await receiptOrFail(io, result)
  const { file } = source
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
      ...(receipt === null ? { nothing: NOTHING_TO_REPAIR } : {}),
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
