import { peekPorts } from '../../compose/transcript-peek'
import type { RepairCheck } from '../../core/repair/line-check'
import { type CheckSource, checkForRepair } from '../../engine/repair/check-for-repair'
import type { RepairDiffStep } from '../../engine/repair/repair-diff'
import type { CheckRules } from '../../engine/write/check-transcript'
import { groupFindings } from '../../view/repair/repair-groups'
import { formatQuantity } from '../../view/text/format'
import type { ReadVerbOptions } from '../choose/read-options'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from './output'
import { renderTable } from './table'
import { cutToWidth, toTerminal } from './terminal-text'

export type RepairOptions = ReadVerbOptions & {
  readonly session: string
  readonly check?: boolean
  readonly apply?: boolean
  readonly doctor?: boolean
  readonly diff?: boolean
  readonly reveal?: boolean
  readonly rules: CheckRules
}

/** Steps of a plan that are shown with their texts. */
const SHOWN_STEPS = 200

/** Looks for damage and says what there is. */
export async function showCheck(
  io: Io,
  options: RepairOptions,
  source: CheckSource & { readonly file: string },
): Promise<ExitCode> {
  const { file } = source
  const { rules, reveal } = options
  const found = await checkForRepair(peekPorts, source, {
    rules,
    reveal,
    steps: options.diff ? SHOWN_STEPS : 0,
  })
  if (found.kind === 'refused') {
    const { code, message } = found.refusal
    throw new CliError(code === 'missing' ? EXIT.unreadable : EXIT.refused, message, { reason: code })
  }
  const { check, readOnly } = found
  const steps = options.diff ? found.steps : null
  if (options.json)
    await writeJson(io, { ...checkJson(file, check), ...(steps === null ? {} : { plan: steps }) })
  else {
    await write(io.stdout, checkText(file, check))
    if (steps !== null) await write(io.stdout, diffText(steps, check))
    if (readOnly !== null && !check.ok) await write(io.stdout, `\n${readOnly}\n`)
    else if (!check.ok && check.kind === 'transcript')
      await write(
        io.stdout,
        `\n"plimsoll repair ${toTerminal(options.session)} --apply" repairs it, with a backup.\n`,
      )
  }
  return check.ok ? EXIT.done : EXIT.no
}

function checkJson(file: string, check: RepairCheck) {
  const { ok, kind, findings, notes, plan, entries, importable, refusals } = check
  return {
    file,
    ok,
    findings,
    changes: plan.steps.length,
    kind,
    notes,
    entries,
    importable,
    refusals: refusals.before,
  }
}

/** The check as text for a terminal. */
export function checkText(file: string, check: RepairCheck): string {
  const { findings, notes, entries, plan, refusals } = check
  const head =
    findings.length === 0
      ? `${toTerminal(file)}: ${formatQuantity(entries.before, 'entry', 'entries')}, nothing to repair.\n`
      : `${toTerminal(file)}: ${formatQuantity(entries.before, 'entry', 'entries')}, ${formatQuantity(findings.length, 'finding')}, ${formatQuantity(plan.steps.length, 'change')}.\n`
  const table =
    findings.length === 0
      ? ''
      : `\n${renderTable(groupFindings(findings, check.form), [
          { title: 'RISK', cell: ({ risk }) => risk },
          { title: 'FINDING', cell: ({ title }) => title },
          { title: 'COUNT', cell: ({ findings: all }) => String(all.length), align: 'right' },
          { title: 'LINES', cell: ({ lines }) => lines, max: 40 },
          { title: 'REPAIR', cell: ({ fix }) => fix ?? 'none', max: 80 },
        ])}`
  const noted = notes.map(
    ({ text, line, count }) => `Note, line ${line}${count > 1 ? ` and ${count - 1} more` : ''}: ${text}\n`,
  )
  const refused = refusedLines(refusals.before.filter(({ healed }) => !healed))
  return `${head}${table}${[...noted, ...refused].map(toTerminalLine).join('')}`
}

/** One line for each reason, with all providers that would give it. */
function refusedLines(refusals: RepairCheck['refusals']['before']): readonly string[] {
  return [...new Set(refusals.map(({ because }) => because))].map((reason) => {
    const same = refusals.filter(({ because }) => because === reason)
    const by = same.map(({ family }) => family).join(', ')
    return `Would be refused by ${by} because ${reason} (line ${same[0]?.line}).\n`
  })
}

function toTerminalLine(text: string): string {
  return `${toTerminal(text.trimEnd())}\n`
}

function diffText(steps: readonly RepairDiffStep[], { plan }: RepairCheck): string {
  const shown = steps.map(({ kind, line, reason, before, after }) => {
    const texts = [
      ...(before === null ? [] : [`- ${cut(before)}`]),
      ...(after === null ? [] : [`+ ${cut(after)}`]),
    ]
    return [`@ line ${line}: ${kind}: ${toTerminal(reason)}`, ...texts].join('\n')
  })
  const left = plan.steps.length - steps.length
  return `\n${shown.join('\n')}\n${left > 0 ? `… and ${formatQuantity(left, 'more change')}\n` : ''}`
}

function cut(text: string): string {
  return cutToWidth(toTerminal(text), 300)
}
