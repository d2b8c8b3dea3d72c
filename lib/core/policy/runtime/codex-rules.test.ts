import { expect, it } from 'vitest'
import type { ClientSetting, ClientSettingName } from '../formats/client-setting'
import { codexCompaction, codexLine } from './codex-rules'

const says = (name: ClientSettingName, value: ClientSetting['value']): ClientSetting => ({
  ...{ name, model: null, value, key: name, file: 'config.toml', line: 1 },
})

it('what the settings of Codex say, the stronger file last', () => {
  const limit = says('compactLimit', 24_000)
  const window = says('modelWindow', 400_000)
  const total = says('limitScope', 'total')
  const body = says('limitScope', 'body_after_prefix')
  const nothing = { kind: 'codex', limit: null, scope: 'total', window: null, settings: [] }
  expect(codexCompaction([])).toEqual(nothing)
  expect(codexCompaction([[says('idle', true)], [window]])).toEqual({
    ...{ ...nothing, window: 400_000, settings: [window] },
  })
  const files = [[says('compactLimit', 9), total], [window, limit], [body]]
  expect(codexCompaction(files)).toEqual({
    ...{ kind: 'codex', limit: 24_000, scope: 'body_after_prefix', window: 400_000 },
    settings: [limit, body, window],
  })
  expect(codexCompaction([[body], [total]])).toEqual({ ...nothing, settings: [total] })
})

it('Codex compacts at nine tenths of the model’s window, of which it shows 95 %, or at a lower limit', () => {
  const line = (limit: number | null, shown: number) =>
    codexLine(codexCompaction([limit === null ? [] : [says('compactLimit', limit)]]), shown)
  expect([line(null, 258_400), line(null, 100), line(93, 100), line(94, 100), line(95, 100)]).toEqual([
    ...[244_800, 94, 93, 94, 94],
  ])
})
