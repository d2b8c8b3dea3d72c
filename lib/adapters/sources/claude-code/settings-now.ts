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

/** Settings of a project, in its `.claude`, weakest first. */
const PROJECT_FILES = ['settings.json', 'settings.local.json']

/**
 * The settings of the Claude Code that started this process, weakest first: its files, those of the project that it
 * names, and its variables, which it hands on as it has them. A file that cannot be read says nothing: a status line has
 * no room for what is wrong with it.
 * @param project the folder that Claude Code itself says it was started in; null: it names none
 */
export function claudeCodeSettingsNow(env: Variables, project: string | null): readonly LabelledFile[] {
  const home = userHome({ env, home: homedir() })
  const named = env.CLAUDE_CONFIG_DIR?.split(',')[0]?.trim()
  const folder = named ? fromHome(named, home) : path.join(home, '.claude')
  const { files, managed, besides } = claudeCodeSettings
  const ofUser = files.map((name) => path.join(folder, name))
  const ofProject =
    project !== null && path.isAbsolute(project)
      ? PROJECT_FILES.map((name) => path.join(project, '.claude', name)).filter(
          (file) => !ofUser.includes(file),
        )
      : []
  return [
    ...besides(path.join(folder, 'projects')),
    ...[...ofUser, ...ofProject, ...managed].flatMap(labelled),
    { label: 'the environment', file: variablesAsSettings(env) },
  ]
}

function labelled(file: string): LabelledFile[] {
  const read = new JsonFiles((text) => readPolicy(parseSource(text, file)), MOST_CONFIG_BYTES).get(file)
  return read.value === null ? [] : [{ label: file, file: read.value }]
}
