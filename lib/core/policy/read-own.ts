import { OVERRIDE_KEYS } from './formats/plimsoll'
import { knobNodeAt } from './knobs/knob-at'
import { mergeInto } from './merge-patches'
import { joinPath } from './path'
import type { PolicyPatch } from './policy'
import { isPreset, PRESET_NAMES } from './presets'
import { type PolicyPlaces, placeAt, type Reading, type Take, takeValue } from './reading'
import { patchAt } from './resolve'
import type { SourceNode } from './source-node'
import { nodeAt, type ParsedSource, plainValue } from './source-tree'

/** Reads our own file: `policy` with policy paths as keys, and a list of `overrides`. */
export function readOwn(reading: Reading, source: ParsedSource, root: SourceNode): void {
  const policy = nodeAt(root, ['policy'])
  if (policy !== null) {
    const take: Take = (path, value, node, key) => reading.set(path, value, source, node.start, key)
    readOwnGroup(reading, source, policy, ['policy'], take, (value, _start, key) => {
      takePreset(reading, source, value, key)
    })
  }
  const overrides = nodeAt(root, ['overrides'])
  if (overrides === null) return
  if (overrides.kind !== 'list') {
    reading.report('error', source, overrides.start, 'overrides', 'overrides are a list')
    return
  }
  for (const [i, item] of overrides.items.entries()) readOverride(reading, source, item, `overrides[${i}]`)
}

function readOverride(reading: Reading, source: ParsedSource, item: SourceNode, key: string): void {
  const found = OVERRIDE_KEYS.flatMap((name) => {
    const node = nodeAt(item, [name])
    return node?.kind === 'scalar' && typeof node.value === 'string' ? [{ name, match: node.value }] : []
  })
  const [only] = found
  const policy = nodeAt(item, ['policy'])
  if (only === undefined || found.length > 1 || policy === null) {
    const message = `an override names one of ${OVERRIDE_KEYS.join(', ')}, and a policy`
    reading.report('error', source, item.start, key, message)
    return
  }
  const patch: PolicyPatch = {}
  const places: { [path: string]: PolicyPlaces[string] } = {}
  const take: Take = (path, value, node, valueKey) => {
    mergeInto(patch, patchAt(path, value))
    places[path] = placeAt(source, node.start, valueKey)
  }
  readOwnGroup(reading, source, policy, [key, 'policy'], take, (_value, start, presetKey) => {
    const why = 'a preset is for the whole file; write the values that this override changes'
    reading.report('error', source, start, presetKey, why)
  })
  reading.override({ key: only.name, match: only.match, patch, places })
}

/** Walks our own `policy` part: its keys are policy paths as they are, and `preset`. */
function readOwnGroup(
  reading: Reading,
  source: ParsedSource,
  node: SourceNode,
  prefix: readonly string[],
  take: Take,
  onPreset: (value: SourceNode, keyStart: number, fileKey: string) => void,
): void {
  const walk = (at: SourceNode, path: readonly string[]) => {
    if (at.kind !== 'map') {
      reading.report(
        'error',
        source,
        at.start,
        [...prefix, ...path].join('.'),
        'a group of settings is expected here',
      )
      return
    }
    for (const { key, keyRange, value } of at.entries) {
      const here = [...path, key]
      const policyPath = joinPath(here)
      const fileKey = [...prefix, ...here].join('.')
      const known = knobNodeAt(policyPath)
      if (policyPath === 'preset') onPreset(value, keyRange.start, fileKey)
      else if (known === null) {
        reading.report('warning', source, keyRange.start, fileKey, 'unknown setting, passed over')
      } else if (known.node !== 'knob') walk(value, here)
      else takeValue(reading, source, value, policyPath, fileKey, plainValue(value), take)
    }
  }
  walk(node, [])
}

function takePreset(reading: Reading, source: ParsedSource, node: SourceNode, key: string): void {
  const name = plainValue(node)
  if (typeof name === 'string' && isPreset(name)) reading.buildOn(name)
  else
    reading.report(
      'error',
      source,
      node.start,
      key,
      `there is no such preset; use one of ${PRESET_NAMES.join(', ')}`,
    )
}
