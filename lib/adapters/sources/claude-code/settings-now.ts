import { homedir } from 'node:os'
import path from 'node:path'
import type { LabelledFile } from '../../../core/policy/effective'
import { variablesAsSettings } from '../../../core/policy/formats/claude-code-variables'
import { readPolicy } from '../../../core/policy/read-policy'
import { MOST_CONFIG_BYTES } from '../../../core/policy/size-limit'
import { parseSource } from '../../../core/policy/source-tree'
import { fromHome, userHome } from '../../discovery/surroundings'
import { JsonFiles } from '../../files/json-file'
import { claudeCodeSettings } from './settings'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The settings of the Claude Code that started this process, weakest first: its files, and its variables, which it hands
 * on as it has them. A file that cannot be read says nothing: a status line has no room for what is wrong with it.
 */
export function claudeCodeSettingsNow(env: Variables): readonly LabelledFile[] {
  const home = userHome({ env, home: homedir() })
  const named = env.CLAUDE_CONFIG_DIR?.split(',')[0]?.trim()
  const folder = named ? fromHome(named, home) : path.join(home, '.claude')
  const { files, managed, besides } = claudeCodeSettings
  return [
    ...besides(path.join(folder, 'projects')),
    ...[...files.map((name) => path.join(folder, name)), ...managed].flatMap(labelled),
    { label: 'the environment', file: variablesAsSettings(env) },
  ]
}

function labelled(file: string): LabelledFile[] {
  const read = new JsonFiles((text) => readPolicy(parseSource(text, file)), MOST_CONFIG_BYTES).get(file)
  return read.value === null ? [] : [{ label: file, file: read.value }]
}
