// @ts-check
// What Stryker loads of ours.
import { ignorers } from './ignore-messages.mjs'
import { roomRunner } from './room-runner.mjs'

export const strykerPlugins = [...ignorers, roomRunner]
