import { describe, expect, it } from 'vitest'
import { sessionTitle } from './session-title'

const titleOf = (name: string | null) => sessionTitle({ name, key: 'agent:main:main', sessionId: 's1' })

describe('X2 the name of a session', () => {
  it('leaves out the id of a scheduled job, and keeps its name', () => {
    const name = '[cron:10133a5a-62a1-48e3-9bac-c1ea6da460aa Tide-heartbeat] Check the gauges'
    expect(titleOf(name)).toBe('Tide-heartbeat: Check the gauges')
    expect(titleOf('[cron: tea at five] Check')).toBe('[cron: tea at five] Check')
  })

  it('leaves out what the runtime put before the words of a person', () => {
    const about = 'Conversation info (untrusted metadata): ```json { "id": "7" } ``` '
    const sender = 'Sender (untrusted metadata): ```json { "name": "Ada" } ``` '
    expect(titleOf(`${about}${sender}[Wed 2026-02-11 08:30 UTC] Where is the ship?`)).toBe(
      'Where is the ship?',
    )
    expect(titleOf('Conversation info (untrusted metadata): ```json { "id": "7", "thread"')).toBe(
      'agent:main:main',
    )
    expect(titleOf('[Wed 2026-02-11] stays')).toBe('[Wed 2026-02-11] stays')
    expect(titleOf('A note (untrusted): stays')).toBe('A note (untrusted): stays')
  })

  it('leaves out the marks of headings and of code', () => {
    expect(titleOf('## User Input ```text I want a plan of the berths')).toBe('I want a plan of the berths')
    expect(titleOf('## A plan of the berths')).toBe('A plan of the berths')
    expect(titleOf('Look at ```ts const x = 1')).toBe('Look at const x = 1')
    expect(titleOf('#7 stays')).toBe('#7 stays')
  })

  it('is the command where a client wrote one', () => {
    const init = '<command-message>init is analyzing your codebase…</command-message>'
    expect(titleOf(`${init} <command-name>/init</command-name>`)).toBe('/init')
    expect(titleOf('<command-name>/plan</command-name> <command-args>the berths of the harb')).toBe(
      '/plan the berths of the harb',
    )
    expect(titleOf('<command-message>cut off')).toBe('<command-message>cut off')
  })

  it('of a heartbeat says that it is one', () => {
    expect(titleOf('[OpenClaw heartbeat poll]')).toBe('Heartbeat')
    expect(titleOf('[OpenClaw heartbeat poll] Check the gauges')).toBe('Heartbeat: Check the gauges')
  })

  it('is the key where there is none', () => {
    expect(titleOf(null)).toBe('agent:main:main')
    expect(titleOf('  ')).toBe('agent:main:main')
  })
})
