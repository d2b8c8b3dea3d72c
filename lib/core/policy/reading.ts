import type { OverrideKey } from './formats/plimsoll'
import { mergePatches } from './merge-patches'
import type { PolicyPatch } from './policy'
import { patchAt } from './resolve'
import { faultOf } from './schema-at'
import { type ParsedSource, placeOf, type SourceNode, type SourceProblem } from './source-tree'

/** A narrower policy of our own file: for one store, agent, channel, model or session (`*` matches any characters). */
export type PolicyOverride = {
  readonly key: OverrideKey
  readonly match: string
  readonly patch: PolicyPatch
}

/** What a configuration file says about the policy. */
export type PolicyFile = {
  readonly format: string
  readonly label: string
  /** The preset that the file builds on; null when it names none. */
  readonly preset: string | null
  readonly patch: PolicyPatch
  readonly overrides: readonly PolicyOverride[]
  /** For each policy path that the file sets: the key in the file, as dotted path, and its line (from 1). */
  readonly places: {
    readonly [policyPath: string]: { readonly key: string; readonly line: number; readonly file: string }
  }
  readonly problems: readonly SourceProblem[]
}

/** What is gathered while a configuration is read, from one file or several. */
export class Reading {
  private patch: PolicyPatch = {}
  private preset: string | null = null
  private readonly overrides: PolicyOverride[] = []
  private readonly places: { [path: string]: { key: string; line: number; file: string } } = {}
  private readonly problems: SourceProblem[]
  private readonly file: string

  constructor(source: ParsedSource) {
    this.file = source.file
    this.problems = [...source.problems]
  }

  adopt(source: ParsedSource): void {
    if (source.file !== this.file) this.problems.push(...source.problems)
  }

  set(path: string, value: unknown, source: ParsedSource, offset: number, key: string): void {
    this.patch = mergePatches(this.patch, patchAt(path, value))
    this.places[path] = { key, line: placeOf(source.text, offset).line, file: source.file }
  }

  buildOn(name: string): void {
    this.preset = name
  }

  override(override: PolicyOverride): void {
    this.overrides.push(override)
  }

  report(
    severity: SourceProblem['severity'],
    source: ParsedSource,
    offset: number,
    key: string,
    message: string,
  ): void {
    this.problems.push({ severity, file: source.file, ...placeOf(source.text, offset), key, message })
  }

  result(format: string, label: string): PolicyFile {
    const { preset, patch, overrides, places, problems } = this
    return { format, label, preset, patch, overrides, places, problems }
  }
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
