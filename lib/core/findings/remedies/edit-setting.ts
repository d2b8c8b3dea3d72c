import { editSource } from '../../policy/edit-source'
import { nodeAt, type ParsedSource, parseSource, plainValue } from '../../policy/source-tree'
import { reasonOf } from '../../words/reason-of'
import type { SettingKeys } from './setting-change'

/** A value of a settings file that changes. */
export type ValueEdit = {
  /** Keys from the top; a number is the place in a list. */
  readonly path: readonly string[]
  /** The value in the file now; undefined: there is none. */
  readonly from: unknown
  readonly to: string | number | boolean
}

/** A change of a settings file, with its whole text. */
type SettingEdit = ValueEdit & { readonly text: string }

/**
 * Sets one value in the text of a settings file; every byte outside it stays.
 * @returns a sentence where it cannot be set
 */
export function editSetting(
  source: ParsedSource,
  keys: SettingKeys,
  to: SettingEdit['to'],
): SettingEdit | string {
  const fault = source.problems.find(({ severity }) => severity === 'error')
  if (fault !== undefined)
    return `${source.file}, line ${fault.line}: ${fault.message}. Mend the file first; it is not changed as it is.`
  const path = keys.at === 'path' ? keys.path : modelPath(source, keys)
  if (typeof path === 'string') return path
  const node = nodeAt(source.root, path)
  const from = node === null ? undefined : plainValue(node)
  let text: string
  try {
    text = editSource(source, [{ path, value: to }])
  } catch (error) {
    return `${reasonOf(error)}.`
  }
  const after = parseSource(text, source.file)
  return contentWithout(source, path) === contentWithout(after, path)
    ? { path, from, to, text }
    : `${source.file}: ${path.join('.')} cannot be set without touching other values; set it by hand.`
}

/** The entry of a model in OpenClaw's catalogue; a model that is not in it has none to change. */
function modelPath(
  { root, file }: ParsedSource,
  { provider, model, key }: Extract<SettingKeys, { at: 'model' }>,
): readonly string[] | string {
  const path = ['models', 'providers', provider, 'models']
  const models = nodeAt(root, path)
  const at =
    models?.kind === 'list'
      ? models.items.findIndex((item) => {
          const id = nodeAt(item, ['id'])
          return id?.kind === 'scalar' && id.value === model
        })
      : -1
  if (at < 0)
    return `${file} has no entry for ${model} below models.providers.${provider}; its window is set elsewhere.`
  // `contextTokens` counts more where an entry has both.
  const older = nodeAt(root, [...path, String(at), 'contextTokens'])
  return [...path, String(at), older === null ? key : 'contextTokens']
}

/** All that a file says but for one value and the groups around it that may be made for it, as one text. */
function contentWithout({ root }: ParsedSource, path: readonly string[]): string {
  // A file that does not say anything is as one that is still to be made.
  return root === null ? '' : (JSON.stringify(without(plainValue(root), path), bigAsText) ?? '')
}

function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return undefined
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? without(item, rest) : item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .map(([name, inside]) => [name, name === key ? without(inside, rest) : inside] as const)
    .filter(([, inside]) => inside !== undefined)
  return entries.length === 0 ? undefined : entries
}

function bigAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
