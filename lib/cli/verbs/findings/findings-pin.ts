import { applyPin } from '../../../engine/findings/apply-pin'
import type { PinnableRule, PinPlan } from '../../../engine/findings/offer-pin'
import type { Receipt } from '../../../engine/write/receipt'
import { patchLines, settingDiff } from '../../../view/findings/setting-diff'
import { setupOrFail } from '../../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { openWriterOrFail, patiently, receiptOrFail } from '../../open-writer'
import { timeJson } from '../../print/figure-json'
import { write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'

type PinOptions = {
  readonly finding: string
  /** Code of the line that was shown. */
  readonly rule?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** So much of a code is shown and asked for: it tells lines apart, and changes with the file. */
const CODE_CHARS = 16

/**
 * Shows each rule that can be pinned as the line that would be written, with a code; writes the one whose code is named.
 * Nothing is written that was not shown (exit code 1), or not as the file is now (exit code 3).
 */
export async function pinRule(io: Io, options: PinOptions, plan: PinPlan): Promise<ExitCode> {
  const { finding, rule: code, dryRun = false, json = false } = options
  const chosen = code === undefined ? null : (plan.rules.find((rule) => codeOf(rule) === code) ?? null)
  if (code !== undefined && chosen === null)
    throw new CliError(
      EXIT.refused,
      `No line that can be pinned has the code ${JSON.stringify(code)}, or the file has changed since it was shown. Look at the lines again: plimsoll findings apply ${finding} --dry-run`,
    )
  let receipt: Receipt | null = null
  if (chosen !== null && !dryRun) {
    const writer = await openWriterOrFail(io, setupOrFail(io))
    const wait = patiently(io)
    receipt = await receiptOrFail(io, await applyPin(writer, plan, chosen, { actor: 'cli', wait }))
  }
  if (json) await writeJson(io, pinJson(finding, plan, dryRun, receipt))
  else await write(io.stdout, pinText(finding, plan, chosen, receipt))
  return receipt !== null || dryRun ? EXIT.done : EXIT.no
}

function codeOf({ code }: PinnableRule): string {
  return code.slice(0, CODE_CHARS)
}

function pinJson(finding: string, plan: PinPlan, dryRun: boolean, receipt: Receipt | null) {
  const { file, before, rules, left, reach, source } = plan
  return {
    ...{ finding, kind: 'pin' as const, file, reach, source },
    rules: rules.map((rule) => ({
      rule: codeOf(rule),
      line: rule.line,
      saidInLine: rule.saidIn,
      saidAt: timeJson(rule.saidAt),
      diff: settingDiff(file, before, rule.text),
    })),
    left,
    dryRun,
    changed: receipt !== null,
    receipt: receipt?.id ?? null,
    undo: receipt === null ? null : ['plimsoll', 'undo', receipt.id],
  }
}

function pinText(
  finding: string,
  { file, before, rules, left, reach, source }: PinPlan,
  chosen: PinnableRule | null,
  receipt: Receipt | null,
): string {
  const shown = chosen === null ? rules : [chosen]
  const lines = shown.flatMap((rule) => [
    `${codeOf(rule)}  line ${rule.saidIn}${rule.saidAt === null ? '' : `, ${new Date(rule.saidAt).toISOString()}`}`,
    ...patchLines(settingDiff(file, before, rule.text)).map((line) => `  ${line}`),
  ])
  const end =
    receipt === null
      ? `Nothing was written. To write one of these lines: plimsoll findings apply ${finding} --rule CODE`
      : `Written. "plimsoll undo ${receipt.id}" takes it back, byte for byte.`
  return [source, reach, ...lines, ...left, end].map((line) => `${toTerminal(line)}\n`).join('')
}
