import { resolve } from 'node:path'
import { createPatch } from 'diff'
import { findStores } from '../../../compose/open'
import { openPolicies } from '../../../compose/policy/policies'
import type { Used } from '../../../core/budget/regions'
import { editSource } from '../../../core/policy/edit-source'
import { faultOf } from '../../../core/policy/fault-of'
import { OPENCLAW_FORMAT } from '../../../core/policy/formats/openclaw'
import { PLIMSOLL_FORMAT_NAME } from '../../../core/policy/formats/plimsoll'
import { planEdits } from '../../../core/policy/policy-edits'
import { isPreset } from '../../../core/policy/presets'
import { valueAt } from '../../../core/policy/resolve'
import { nodeAt, parseSource, plainValue } from '../../../core/policy/source-tree'
import type { PolicyDocument, SaveResult } from '../../../engine/policy/policy-store'
import { NO_QUESTION, problemText, resolveChosen } from '../../choose/chosen-policy'
import { policyPaths } from '../../choose/policy-paths'
import { setupOrFail } from '../../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'
import { toTerminal } from '../../print/terminal-text'
import { policyCheck } from './policy-check'
import { policyShow } from './policy-show'

export const POLICY_ACTIONS = ['show', 'check', 'diff', 'apply'] as const

export type PolicyOptions = {
  readonly action: string
  /** `show`: a session; `check`: files; `diff`: a second policy; `apply`: KEY=VALUE. */
  readonly rest: readonly string[]
  readonly json?: boolean
  /** Stores to look at instead of the configured and known ones. */
  readonly store?: readonly string[]
  readonly policy?: string
  readonly window?: number
  readonly used?: Used
  readonly file?: string
  readonly dryRun?: boolean
}

/** Shows, checks, compares and changes the policy. */
export async function policy(io: Io, options: PolicyOptions): Promise<ExitCode> {
  switch (options.action) {
    case 'show':
      return policyShow(io, {
        ...options,
        ...(options.rest[0] === undefined ? {} : { session: options.rest[0] }),
      })
    case 'check':
      return policyCheck(io, options)
    case 'diff':
      return diff(io, options)
    case 'apply':
      return apply(io, options)
    default:
      throw new CliError(EXIT.usage, `policy knows ${POLICY_ACTIONS.join(', ')}, not "${options.action}".`)
  }
}

async function diff(io: Io, options: PolicyOptions): Promise<ExitCode> {
  const [first, second] = options.rest
  const left = await resolveChosen(io, { ...NO_QUESTION, chosen: second === undefined ? undefined : first })
  const right = await resolveChosen(io, { ...NO_QUESTION, chosen: second ?? first ?? options.policy })
  const paths = [...new Set([...policyPaths(left.policy), ...policyPaths(right.policy)])]
  const changes = paths
    .map((path) => ({ path, from: valueAt(left.policy, path), to: valueAt(right.policy, path) }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
  if (options.json) await writeJson(io, { changes })
  else if (changes.length === 0) await write(io.stdout, 'No differences.\n')
  else {
    await write(
      io.stdout,
      renderTable(changes, [
        { title: 'SETTING', cell: (row) => row.path },
        { title: 'FROM', cell: (row) => JSON.stringify(row.from) ?? '–', max: 50 },
        { title: 'TO', cell: (row) => JSON.stringify(row.to) ?? '–', max: 50 },
      ]),
    )
  }
  return changes.length === 0 ? EXIT.done : EXIT.no
}

async function apply(io: Io, options: PolicyOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  // The runtimes' files are searched for only where one of them is meant.
  const { stores } =
    options.file === undefined ? { stores: [] } : await findStores(setup, io.env, options.store ?? null)
  const policies = openPolicies(setup, stores)
  const documents = await policies.documents()
  const document =
    options.file === undefined
      ? documents[0]
      : documents.find((d) => d.path === resolve(io.cwd, options.file ?? ''))
  if (document === undefined) {
    throw new CliError(
      EXIT.usage,
      `${options.file} is not one of: ${documents.map((d) => d.path).join(', ')}`,
    )
  }
  demandRead(document)
  const { text, changes } = edited(document, options)
  const patch = createPatch(document.path, document.text, text, '', '')
  if (options.dryRun) {
    if (options.json)
      await writeJson(io, {
        file: document.path,
        changed: text !== document.text,
        changes,
        diff: patch,
        dryRun: true,
      })
    else
      await write(
        io.stdout,
        text === document.text
          ? 'Nothing would change.\n'
          : `${linesToTerminal(patch)}${changesText(document, changes)}`,
      )
    return EXIT.done
  }
  const { path, hash, text: baseText } = document
  const result = await policies.save({ path, baseHash: hash, baseText, text })
  if (options.json) await writeJson(io, { ...saveJson(path, result, patch), changes })
  else {
    await write(io.stdout, linesToTerminal(saveText(path, result, patch)))
    if (result.kind === 'saved') await write(io.stdout, changesText(document, changes))
  }
  return exitOf(result)
}

/** A file that could not be read, such as a link in the folder of a store, is neither compared nor changed. */
function demandRead({ exists, writable, text, file }: PolicyDocument): void {
  const problem = file.problems.find(({ severity }) => severity === 'error')
  if (exists && !writable && text === '' && problem !== undefined)
    throw new CliError(EXIT.refused, `${problemText(problem)}. Nothing was changed.`)
}

/** A key of the file, with its value before (null: it was not there) and after. */
type Change = { readonly key: string; readonly from: unknown; readonly to: unknown }

/** The file's text with the new values, and which of its keys that changes. */
function edited(
  document: PolicyDocument,
  options: PolicyOptions,
): { readonly text: string; readonly changes: readonly Change[] } {
  const source = parseSource(document.text, document.path)
  const wanted: { [path: string]: unknown } = {}
  for (const assignment of options.rest) {
    const [path, value] = parseAssignment(assignment)
    wanted[path] = value
  }
  const plan = planEdits({ ...document.file, format: formatOf(document) }, wanted)
  if (plan.unsupported.length > 0) {
    throw new CliError(
      EXIT.usage,
      `${document.path} (${document.file.label}) has no key for ${plan.unsupported.join(', ')}.`,
    )
  }
  const preset = options.policy === undefined ? [] : [presetEdit(options.policy)]
  if (preset.length + plan.edits.length === 0) {
    throw new CliError(EXIT.usage, 'Name what to change: --policy PRESET, or KEY=VALUE.')
  }
  const edits = [...preset, ...plan.edits]
  const changes = edits.map(({ path, value }): Change => {
    const before = source.root === null ? null : nodeAt(source.root, path)
    return { key: path.join('.'), from: before === null ? null : plainValue(before), to: value }
  })
  return { text: editSource(source, edits), changes }
}

/** What a save means for readers of the file. */
function changesText({ role, file, path }: PolicyDocument, changes: readonly Change[]): string {
  if (role === 'own') return ''
  const lines = changes.map(
    ({ key, from, to }) => `  ${key}: ${JSON.stringify(from)} → ${JSON.stringify(to)}\n`,
  )
  const whose = toTerminal(file.label === 'empty file' ? path : file.label)
  return `The runtime itself reads this file (${whose}); in its own keys that is:\n${lines.map(toTerminalLine).join('')}`
}

function toTerminalLine(line: string): string {
  return `${toTerminal(line.trimEnd())}\n`
}

/** A file that says nothing of policy yet takes the format of its owner. */
function formatOf({ file, role }: PolicyDocument): string {
  if (file.format !== 'none' && file.format !== 'empty') return file.format
  return role === 'own' ? PLIMSOLL_FORMAT_NAME : OPENCLAW_FORMAT.name
}

function presetEdit(name: string) {
  if (!isPreset(name))
    throw new CliError(EXIT.usage, `${name} is not a preset; set single values with KEY=VALUE.`)
  return { path: ['policy', 'preset'], value: name }
}

function parseAssignment(text: string): [path: string, value: unknown] {
  const at = text.indexOf('=')
  if (at <= 0) throw new CliError(EXIT.usage, `"${text}" is not KEY=VALUE.`)
  const path = text.slice(0, at)
  const written = text.slice(at + 1)
  let value: unknown = written
  try {
    value = JSON.parse(written)
  } catch {
    // Not JSON: the words themselves are meant.
  }
  const fault = faultOf(path, value)
  if (fault !== null) throw new CliError(EXIT.usage, `${path}: ${fault}`)
  return [path, value]
}

function linesToTerminal(text: string): string {
  return text.split('\n').map(toTerminal).join('\n')
}

function saveJson(path: string, result: SaveResult, patch: string) {
  if (result.kind === 'saved') return { file: path, kind: result.kind, backup: result.backup, diff: patch }
  return { file: path, ...result }
}

function saveText(path: string, result: SaveResult, patch: string): string {
  switch (result.kind) {
    case 'saved':
      return `${patch}Saved ${path}.${result.backup === null ? '' : ` The version before is kept at ${result.backup}.`}\n`
    case 'unchanged':
      return `Nothing changed: ${path} says that already.\n`
    case 'changed':
      return `${path} was changed by another hand meanwhile; nothing was written.\n`
    case 'refused':
      return `${result.problem}\n`
    case 'invalid':
      return `${result.problems.map(problemText).join('\n')}\nNothing was written.\n`
    default:
      return result satisfies never
  }
}

function exitOf(result: SaveResult): ExitCode {
  if (result.kind === 'saved' || result.kind === 'unchanged') return EXIT.done
  return result.kind === 'invalid' ? EXIT.usage : EXIT.refused
}
