import { append } from '../lists/long-lists'
import { faultOf } from './fault-of'
import type { ClientSetting } from './formats/client-setting'
import type { OverrideKey } from './formats/plimsoll'
import type { ScopedParams } from './formats/provider-params'
import { mergeInto } from './merge-patches'
import type { PolicyPatch } from './policy'
import { patchAt } from './resolve'
import type { SourceNode } from './source-node'
import { limitProblems, lineAndColumn, type ParsedSource, type SyntaxProblem } from './source-tree'

/** A narrower policy of our own file: for one store, agent, channel, model or session (`*` matches any characters). */
export type PolicyOverride = {
  readonly key: OverrideKey
  readonly match: string
  readonly patch: PolicyPatch
  readonly places: PolicyPlaces
}

/** For each policy path that a file, or an override of it, sets: the key in the file, dotted, and its line (from 1). */
export type PolicyPlaces = {
  readonly [policyPath: string]: { readonly key: string; readonly line: number; readonly file: string }
}

/** What a configuration file says about the policy. */
export type PolicyFile = {
  readonly format: string
  readonly label: string
  /** The preset that the file builds on; null when it names none. */
  readonly preset: string | null
  readonly patch: PolicyPatch
  readonly overrides: readonly PolicyOverride[]
  /** What OpenClaw's settings say of the provider's own compaction, weakest first; left out where they say nothing. */
  readonly providerParams?: readonly ScopedParams[]
  /** What the settings of Claude Code or Codex say beyond the policy; left out where they say nothing. */
  readonly clientSettings?: readonly ClientSetting[]
  /** Of what it says for all; each override has its own. */
  readonly places: PolicyPlaces
  readonly problems: readonly SyntaxProblem[]
}

/** What is gathered while a configuration is read, from one file or several. */
export class Reading {
  private readonly patch: PolicyPatch = {}
  private preset: string | null = null
  private readonly overrides: PolicyOverride[] = []
  private readonly places: { [path: string]: PolicyPlaces[string] } = {}
  private readonly params: ScopedParams[] = []
  private readonly said: ClientSetting[] = []
  private readonly problems: SyntaxProblem[]

  constructor(source: ParsedSource) {
    this.problems = [...source.problems]
  }

  /** Of a file that is included. */
  adopt(source: ParsedSource): void {
    append(this.problems, source.problems)
  }

  set(path: string, value: unknown, source: ParsedSource, offset: number, key: string): void {
    mergeInto(this.patch, patchAt(path, value))
    this.places[path] = placeAt(source, offset, key)
  }

  buildOn(name: string): void {
    this.preset = name
  }

  override(override: PolicyOverride): void {
    this.overrides.push(override)
  }

  provide(params: ScopedParams): void {
    this.params.push(params)
  }

  say(setting: ClientSetting): void {
    this.said.push(setting)
  }

  report(
    severity: SyntaxProblem['severity'],
    source: ParsedSource,
    offset: number,
    key: string,
    message: string,
  ): void {
    this.problems.push({ severity, file: source.file, ...lineAndColumn(source.text, offset), key, message })
  }

  result(format: string, label: string): PolicyFile {
    const { preset, patch, overrides, params, said, places, problems } = this
    const more = {
      ...(params.length > 0 && { providerParams: params }),
      ...(said.length > 0 && { clientSettings: said }),
    }
    return { format, label, preset, patch, overrides, ...more, places, problems: limitProblems(problems) }
  }
}

/** Where a value is that a key sets. */
export function placeAt(source: ParsedSource, offset: number, key: string): PolicyPlaces[string] {
  return { key, line: lineAndColumn(source.text, offset).line, file: source.file }
}

/** What to do with a value that was found and is allowed. */
export type Take = (policyPath: string, value: unknown, node: SourceNode, key: string) => void

/** Checks a value for its policy path, and takes it or reports what is wrong with it. */
export function takeValue(
  reading: Reading,
  source: ParsedSource,
  node: SourceNode,
  policyPath: string,
  fileKey: string,
  value: unknown,
  take: Take,
): void {
  const fault = faultOf(policyPath, value)
  if (fault === null) take(policyPath, value, node, fileKey)
  else reading.report('error', source, node.start, fileKey, fault)
}
