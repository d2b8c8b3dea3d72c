import { applySetting } from '../../engine/findings/apply-setting'
import { type OfferedRemedy, offerRemedy } from '../../engine/findings/offer-remedy'
import type { SettingPlan } from '../../engine/findings/plan-remedy'
import type { SettingPreview } from '../../engine/findings/preview-setting'
import type { Receipt } from '../../engine/write/receipt'
import { previewLines } from '../../view/findings/preview-words'
import { patchLines, settingDiff } from '../../view/findings/setting-diff'
import { findFinding, openCliRemedies } from '../choose/open-remedies'
import type { ReadVerbOptions } from '../choose/read-options'
import { setupOrFail } from '../choose/setup-or-fail'
import { EXIT, type ExitCode, type Io } from '../io'
import { openWriterOrFail, patiently, receiptOrFail } from '../open-writer'
import { write, writeJson } from '../print/output'
import { toTerminal } from '../print/terminal-text'
import { carryOutAction } from './findings-action'

type ApplyFindingOptions = ReadVerbOptions & {
  readonly finding: string
  /** Code of a rule that was shown and is to be pinned. */
  readonly rule?: string
  readonly dryRun?: boolean
}

/**
 * What is to be done about a finding: a change of its runtime's settings file, or one of our own actions, shown and,
 * without `--dry-run`, done; else the command that helps, or why it cannot be cured from here (exit code 1 both).
 */
export async function applyFinding(
  io: Io,
  { finding: id, ...options }: ApplyFindingOptions,
): Promise<ExitCode> {
  const ports = await openCliRemedies(io, options.store)
  const examined = await findFinding(io, ports, id)
  const offered = await offerRemedy(ports, examined)
  const done =
    offered.kind === 'command'
      ? await carryOutAction(io, { finding: id, ...options }, offered, examined)
      : null
  if (done !== null) return done
  if (offered.kind === 'pin')
    return (await import('./findings-pin')).pinRule(io, { finding: id, ...options }, offered.plan)
  if (offered.kind !== 'setting') return sayOther(io, id, offered, options.json ?? false)
  const { plan, preview } = offered
  let receipt: Receipt | null = null
  if (!options.dryRun) {
    const writer = await openWriterOrFail(io, setupOrFail(io))
    receipt = await receiptOrFail(
      io,
      await applySetting(writer, plan, preview, { actor: 'cli', wait: patiently(io) }),
    )
  }
  if (options.json) await writeJson(io, settingJson(id, plan, preview, receipt, options.dryRun ?? false))
  else await write(io.stdout, settingText(plan, preview, receipt))
  return EXIT.done
}

async function sayOther(
  io: Io,
  id: string,
  offered: Exclude<OfferedRemedy, { kind: 'setting' | 'pin' }>,
  json: boolean,
): Promise<ExitCode> {
  if (json) await writeJson(io, { finding: id, ...offered, changed: false })
  else if (offered.kind === 'command') {
    const lines = [...offered.others, offered.words, `Run: ${offered.argv.join(' ')}`]
    await write(io.stdout, linesOf(lines))
  } else await write(io.stdout, linesOf(['This cannot be cured from here.', ...offered.why]))
  return EXIT.no
}

function settingJson(
  id: string,
  plan: SettingPlan,
  preview: SettingPreview,
  receipt: Receipt | null,
  dryRun: boolean,
) {
  const { file, edit, why, assumed } = plan
  return {
    finding: id,
    kind: 'setting' as const,
    file,
    key: edit.path.join('.'),
    from: edit.from ?? null,
    to: edit.to,
    why,
    assumed,
    diff: settingDiff(file, plan.before, edit.text),
    sessions: preview.sessions,
    moreSessions: preview.more,
    problems: preview.problems,
    watchedBy: preview.measure?.words ?? null,
    dryRun,
    changed: receipt !== null,
    receipt: receipt?.id ?? null,
    undo: receipt === null ? null : ['plimsoll', 'undo', receipt.id],
  }
}

function settingText(plan: SettingPlan, preview: SettingPreview, receipt: Receipt | null): string {
  const { why, assumed } = plan
  const end =
    receipt === null
      ? ['Nothing was written.']
      : [
          `Written. "plimsoll undo ${receipt.id}" takes it back, byte for byte.`,
          preview.measure === null
            ? 'Whether it helps shows in no call, so nothing is measured.'
            : `"plimsoll findings verify ${plan.finding.id}" tells whether it helped, by ${preview.measure.words}.`,
        ]
  return linesOf([
    ...patchLines(settingDiff(plan.file, plan.before, plan.edit.text)),
    why,
    ...previewLines(preview),
    ...assumed.map((one) => `Assumed: ${one}.`),
    ...end,
  ])
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${toTerminal(line)}\n`).join('')
}
