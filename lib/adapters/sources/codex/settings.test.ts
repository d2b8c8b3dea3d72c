import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runtimeCompactLine } from '../../../core/budget/runtime-lines'
import { readPolicy } from '../../../core/policy/read-policy'
import { parseSource } from '../../../core/policy/source-tree'
import { runtimePolicyWith } from '../../../testing/builders/runtime-policy'
import { temporaryFolder } from '../../../testing/store-folder'
import { codexSettingsWith } from './settings'

describe('what the machine says of Codex', () => {
  it('counts where the user says nothing, and an administrator’s file above both', () => {
    const system = temporaryFolder()
    const { besides, managed } = codexSettingsWith(system)
    const root = '/home/ada/.codex/sessions'
    expect(besides(root)).toEqual([])
    writeFileSync(join(system, 'config.toml'), 'model_auto_compact_token_limit = 20000\n')
    const lineWith = (...texts: string[]) => {
      const users = texts.map((text, i) => ({
        label: `${i}.toml`,
        file: readPolicy(parseSource(text, `${i}.toml`)),
      }))
      const policy = runtimePolicyWith({ owner: 'codex', version: null, files: [...besides(root), ...users] })
      return runtimeCompactLine(policy, 258_400)
    }
    expect(lineWith()).toBe(20_000)
    expect(lineWith('model_auto_compact_token_limit = 30000')).toBe(30_000)
    expect(managed).toEqual([join(system, 'managed_config.toml')])
  })

  it('says nothing of transcripts that lie beside no settings, nor where it cannot be read', () => {
    const system = temporaryFolder()
    const { besides } = codexSettingsWith(system)
    writeFileSync(join(system, 'config.toml'), 'model_auto_compact_token_limit = \n')
    expect(besides('/home/ada/.codex/sessions')).toEqual([])
    writeFileSync(join(system, 'config.toml'), 'model_auto_compact_token_limit = 20000\n')
    expect(besides('/srv/rollouts')).toEqual([])
  })
})
