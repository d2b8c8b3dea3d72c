import { openClawGateway } from '../adapters/openclaw-gateway'
import type { Gateway } from '../engine/gateway-port'
import type { Setup, Variables } from '../wire'

/** OpenClaw's gateway as the settings name it; null when they do not. */
export function openGateway({ settings }: Setup, variables: Variables): Gateway | null {
  const { gateway } = settings
  if (gateway === null) return null
  const { command, url, timeoutSeconds } = gateway
  return openClawGateway({ command, url, timeoutMs: timeoutSeconds * 1000, env: variables })
}
