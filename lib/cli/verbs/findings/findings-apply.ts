import { type Foreseen, type PickDoubt, pickDoubt } from '../../../core/findings/remedies/foreseen'
import type { PickName } from '../../../core/replay/tune/tune-state'
import { applySetting } from '../../../engine/findings/apply-setting'
import type { FittingTuning } from '../../../engine/findings/offer-tuned'
import type { SettingPlan } from '../../../engine/findings/plan-remedy'
import type { TunedBasis } from '../../../engine/findings/plan-tuned'
import type { SettingPreview } from '../../../engine/findings/preview-setting'
import { keysOf } from '../../../engine/findings/setting-edits'
import type { Receipt } from '../../../engine/write/receipt'
import { foreseenLines } from '../../../view/findings/foreseen-words'
import { previewLines } from '../../../view/findings/preview-words'
import { patchLines, settingDiff } from '../../../view/findings/setting-diff'
import { tunedLines, tuningLine } from '../../../view/findings/tuned-words'
import { type CliOffer, foreseenOf, offeredRemedy } from '../../choose/offered-remedy'
import { openCliRemedies } from '../../choose/open-remedies'
import type { ReadVerbOptions } from '../../choose/read-options'
import { setupOrFail } from '../../choose/setup-or-fail'
import { EXIT, type ExitCode, type Io } from '../../io'
import { openWriterOrFail, patiently, receiptOrFail } from '../../open-writer'
import { write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'
import { carryOutAction } from './findings-action'

type ApplyFindingOptions = ReadVerbOptions & {
  readonly finding: string
  /** Code of a rule that was shown and is to be pinned. */
  readonly rule?: string
  readonly dryRun?: boolean
  /** Values of the newest tuning over the sessions of the finding. */
  readonly pick?: PickName
  /** The setting that is to be changed, where several would cure it. */
  readonly key?: string
  /** Whether the change is replayed over recorded sessions first. */
  readonly replay?: boolean
}

/** A change that is offered, what it rests on and what it would do. */
type ShownSetting = {
  readonly id: string
  readonly plan: SettingPlan
  /** Keys of other settings that would cure it as well. */
  readonly choices: readonly string[]
  readonly preview: SettingPreview
  readonly basis: TunedBasis | null
  readonly tuning: FittingTuning | null
  readonly foreseen: Foreseen | null
  /** A replay of what the file has keys for costs more than what is in force. */
  readonly doubt: PickDoubt | null
}

/**
 * What is to be done about a finding: a change of its runtime's settings file, or one of our own actions, shown and,
 * without `--dry-run`, done; else the command that helps, or why it cannot be cured from here (exit code 1 both).
 */
export async function applyFinding(
  io: Io,
  { finding: id, pick, key, ...options }: ApplyFindingOptions,
): Promise<ExitCode> {
  const ports = await openCliRemedies(io, options.store)
  const { offered, own } = await offeredRemedy(io, ports, id, {
    ...(pick === undefined ? {} : { pick }),
    ...(key === undefined ? {} : { key }),
  })
  const done =
    offered.kind === 'command' ? await carryOutAction(io, { finding: id, ...options }, offered, own) : null
  if (done !== null) return done
  if (offered.kind === 'pin')
    return (await import('./findings-pin')).pinRule(io, { finding: id, ...options }, offered.plan)
  if (offered.kind !== 'setting') return sayOther(io, id, offered, options.json ?? false)
  const { plan, preview, tuning } = offered
  const basis = 'basis' in offered ? offered.basis : null
  const choices = 'choices' in offered ? offered.choices : []
  const foreseen = options.replay === false ? null : await foreseenOf(io, ports, plan)
  // The file may have no key for what saves: then the rest of a pick can cost more than what is in force.
  const doubt = basis === null || options.replay === false ? null : pickDoubt(foreseen)
  let receipt: Receipt | null = null
  if (!options.dryRun && doubt === null) {
    const writer = await openWriterOrFail(io, setupOrFail(io))
    const how = { actor: 'cli', wait: patiently(io), basis, foreseen }
    receipt = await receiptOrFail(io, await applySetting(writer, plan, preview, how))
  }
  const shown = { id, plan, choices, preview, basis, tuning, foreseen, doubt }
  if (options.json) await writeJson(io, settingJson(shown, receipt, options.dryRun ?? false))
  else await write(io.stdout, settingText(shown, receipt))
  return doubt !== null && !options.dryRun ? EXIT.no : EXIT.done
}

/** Why a pick is not written. */
const DOUBTS: { readonly [D in PickDoubt]: string } = {
  loss: ' Replayed with the values that the file has keys for, the pick costs more than what is in force; “--no-replay” writes it all the same.',
  unknown:
    ' No session could be replayed, so what the pick costs is not known; “--no-replay” writes it all the same.',
}

async function sayOther(
  io: Io,
  id: string,
  offered: Exclude<CliOffer['offered'], { kind: 'setting' | 'pin' }>,
  json: boolean,
): Promise<ExitCode> {
  const { tuning } = offered
  if (json) await writeJson(io, { finding: id, ...offered, changed: false })
  else {
    const lines =
      offered.kind === 'command'
        ? [...offered.others, offered.words, `Run: ${offered.argv.join(' ')}`]
        : ['This cannot be cured from here.', ...offered.why]
    await write(io.stdout, linesOf([...lines, ...(tuning === null ? [] : [tuningLine(tuning)])]))
  }
  return EXIT.no
}

function settingJson(
  { id, plan, choices, preview, basis, tuning, foreseen }: ShownSetting,
  receipt: Receipt | null,
  dryRun: boolean,
) {
  const { file, edits, why, assumed } = plan
  const [first] = edits
  return {
    finding: id,
    kind: 'setting' as const,
    file,
    key: keysOf(plan),
    from: edits.length === 1 ? (first?.from ?? null) : edits.map(({ from }) => from ?? null),
    to: edits.length === 1 ? first?.to : edits.map(({ to }) => to),
    why,
    choices,
    assumed,
    diff: settingDiff(file, plan.before, plan.text),
    sessions: preview.sessions,
    moreSessions: preview.more,
    problems: preview.problems,
    foreseen,
    tuning,
    tuned: basis,
    watchedBy: preview.measure?.words ?? null,
    dryRun,
    changed: receipt !== null,
    receipt: receipt?.id ?? null,
    undo: receipt === null ? null : ['plimsoll', 'undo', receipt.id],
  }
}

function settingText(
  { id, plan, choices, preview, basis, tuning, foreseen, doubt }: ShownSetting,
  receipt: Receipt | null,
): string {
  const { why, assumed } = plan
  const end =
    receipt === null
      ? [`Nothing was written.${doubt === null ? '' : DOUBTS[doubt]}`]
      : [
          `Written. "plimsoll undo ${receipt.id}" takes it back, byte for byte.`,
          preview.measure === null
            ? 'Whether it helps shows in no call, so nothing is measured.'
            : `"plimsoll findings verify ${plan.finding.id}" tells whether it helped, by ${preview.measure.words}.`,
        ]
  return linesOf([
    ...patchLines(settingDiff(plan.file, plan.before, plan.text)),
    why,
    ...(basis === null ? [] : tunedLines(basis)),
    ...previewLines(preview),
    ...(foreseen === null ? [] : foreseenLines(foreseen)),
    ...(tuning === null ? [] : [tuningLine(tuning)]),
    ...assumed.map((one) => `Assumed: ${one}.`),
    ...(receipt === null ? choices : []).map(
      (key) => `Another way: plimsoll findings apply ${id} --key ${key}`,
    ),
    ...end,
  ])
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${toTerminal(line)}\n`).join('')
}
