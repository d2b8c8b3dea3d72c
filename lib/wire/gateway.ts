import { openClawCommands } from '../adapters/openclaw-commands'
import { openClawGateway } from '../adapters/openclaw-gateway'
import { databaseCensus } from '../adapters/stores/database-census'
import type { CleanPorts, PlanPorts } from '../engine/clean-database'
import type { Gateway } from '../engine/gateway-port'
import type { OpenClawCommands } from '../engine/openclaw-commands'
import type { Writer } from '../engine/write-ports'
import type { Setup, Variables } from '../wire'

/** OpenClaw's gateway as the settings name it; null when they do not. */
export function openGateway({ settings }: Setup, variables: Variables): Gateway | null {
  const { gateway } = settings
  if (gateway === null) return null
  const { command, url, timeoutSeconds } = gateway
  return openClawGateway({ command, url, timeoutMs: timeoutSeconds * 1000, env: variables })
}

/** OpenClaw's own commands as the settings name them; null when they do not. */
export function openCommands({ settings }: Setup, variables: Variables): OpenClawCommands | null {
  const { gateway } = settings
  if (gateway === null) return null
  const { command, timeoutSeconds } = gateway
  return openClawCommands({ command, timeoutMs: timeoutSeconds * 1000, env: variables })
}

/** What it takes to ask OpenClaw what it would do to one of its databases. */
export function planPorts(commands: OpenClawCommands): PlanPorts {
  return { commands, census: databaseCensus() }
}

/** What it takes to have OpenClaw change one of its databases, and to see that it did. */
export function cleanPorts(commands: OpenClawCommands, writer: Writer): CleanPorts {
  return { ...writer, ...planPorts(commands) }
}
