import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Environment } from '../../../config/env'
import { readSettingsText } from '../../../config/settings'
import { readSettingsFile, settingsHash, settingsPlaces } from '../../../config/settings-file'
import { addTrust, isTrusted, readTrusted, revokeTrust } from '../../../config/trust'
import { type ActingValue, actingPolicyValues, actingValues } from '../../../core/policy/acting-values'
import { readPolicy } from '../../../core/policy/read-policy'
import type { PolicyFile } from '../../../core/policy/reading'
import { parseSource } from '../../../core/policy/source-tree'
import { environmentOrFail } from '../../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'
import { toTerminal } from '../../print/terminal-text'

export type TrustOptions = {
  /** The file; without it the one in the working folder. */
  readonly file?: string
  readonly list?: boolean
  readonly revoke?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Shows what a settings file of the working folder names, and trusts it as it is now; `--revoke` takes that back. */
export async function trust(io: Io, options: TrustOptions): Promise<ExitCode> {
  const environment = environmentOrFail(io)
  if (options.list) return list(io, environment, options)
  const path = chosenFile(io, environment, options.file)
  if (options.revoke) return revoke(io, environment, path, options)
  // The trust of its text is what we are about to give; owner and mode count nevertheless.
  const read = readSettingsFile({ path, origin: 'named' }, environment.home)
  if (!read.ok) {
    throw new CliError(read.reason === 'refused' ? EXIT.refused : EXIT.unreadable, `${read.message}.`)
  }
  const parsed = readSettingsText(path, read.text)
  if (!parsed.ok) throw new CliError(EXIT.unreadable, parsed.problems.join('\n'))
  const hash = settingsHash(read.text)
  const acts = allActing(parsed.value, readPolicy(parseSource(read.text, path)))
  const trusted = isTrusted(environment.home, path, hash)
  if (!options.dryRun && !trusted) addTrust(environment.home, path, hash, Date.now())
  if (options.json) {
    await writeJson(io, {
      file: path,
      hash,
      acts,
      trusted: trusted || !options.dryRun,
      changed: !options.dryRun && !trusted,
    })
  } else
    await write(io.stdout, `${whatActs(path, acts)}\n${outcome(path, trusted, options.dryRun === true)}\n`)
  return EXIT.done
}

/**
 * What acts by our own keys, and what else a policy is read from, each value once. An override that cannot be read is
 * not counted there, so that the same key can be another value.
 */
function allActing(settings: unknown, file: PolicyFile): ActingValue[] {
  const own = actingValues(settings)
  const known = new Set(own.map(nameOf))
  return [...own, ...actingPolicyValues(file).filter((found) => !known.has(nameOf(found)))]
}

function nameOf({ key, value }: ActingValue): string {
  return JSON.stringify([key, value])
}

function whatActs(path: string, acts: readonly ActingValue[]): string {
  if (acts.length === 0)
    return `${toTerminal(path)} names no command, address, model, folder or environment variable.`
  const table = renderTable(acts, [
    { title: 'WHAT', cell: ({ kind }) => (kind === 'variable' ? 'environment variable' : kind) },
    { title: 'KEY', cell: ({ key }) => key },
    { title: 'VALUE', cell: ({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)) },
  ])
  return `What acts in ${toTerminal(path)}:\n${table}`
}

function outcome(path: string, trusted: boolean, dryRun: boolean): string {
  if (trusted) return 'It is trusted as it is; nothing changed.'
  if (dryRun) return 'It is not trusted; nothing was written. Trust it with: plimsoll trust'
  return `It is trusted as it is now. After a change it is asked about again; take the trust back with: plimsoll trust --revoke ${toTerminal(path)}`
}

async function revoke(
  io: Io,
  { home }: Environment,
  path: string,
  { json }: TrustOptions,
): Promise<ExitCode> {
  const changed = revokeTrust(home, path)
  if (json) await writeJson(io, { file: path, trusted: false, changed })
  else
    await write(
      io.stdout,
      `${toTerminal(path)} ${changed ? 'is not trusted any more' : 'was not trusted; nothing changed'}.\n`,
    )
  return EXIT.done
}

async function list(io: Io, { home }: Environment, { json }: TrustOptions): Promise<ExitCode> {
  const files = readTrusted(home).map((file) => ({ ...file, state: stateOf(home, file.path) }))
  if (json) await writeJson(io, { files })
  else if (files.length === 0) await write(io.stdout, 'No settings file of a working folder is trusted.\n')
  else {
    await write(
      io.stdout,
      renderTable(files, [
        { title: 'FILE', cell: ({ path }) => path },
        { title: 'STATE', cell: ({ state }) => state },
        { title: 'SINCE', cell: ({ trustedAt }) => new Date(trustedAt).toISOString() },
        { title: 'SHA-256', cell: ({ hash }) => hash.slice(0, 12) },
      ]),
    )
  }
  return EXIT.done
}

function stateOf(home: string, path: string): string {
  if (!existsSync(path)) return 'gone'
  const read = readSettingsFile({ path, origin: 'working-folder' }, home)
  return read.ok ? 'as it was trusted' : 'changed, not obeyed'
}

/** @throws CliError when no file is named and the working folder has none */
function chosenFile(io: Io, { configFolder }: Environment, named: string | undefined): string {
  if (named !== undefined) return resolve(io.cwd, named)
  const place = settingsPlaces({ explicit: null, cwd: io.cwd, configFolder }).find(
    ({ origin }) => origin === 'working-folder',
  )
  if (place !== undefined) return place.path
  throw new CliError(EXIT.usage, `There is no plimsoll.yaml in ${io.cwd}. Name the file: plimsoll trust FILE`)
}
