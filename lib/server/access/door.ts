import 'server-only'
import { randomBytes } from 'node:crypto'
import { secretHash } from '../../config/token'
import {
  bearerOf,
  isSameSecret,
  ownAddress,
  readSignInAddress,
  sessionCookie,
  sessionIdsOf,
} from '../../core/access/credentials'
import { comesFromElsewhere, pathOf, type RequestFacts, refusalOf } from '../../core/access/request-guard'
import type { Milliseconds } from '../../core/units/units'
import { type DoorState, doorState } from './door-state'
import { serverName } from './signed-in'
import { noteSignOut } from './when-signed-out'

/** A request as it comes to the door. */
export type DoorRequest = RequestFacts & {
  readonly authorization: string | null
  readonly cookie: string | null
  /** Whose connection it came over. */
  readonly address: string
  /** The browser came by https. */
  readonly secure: boolean
  /** Fields of a form that was sent. */
  readonly form: () => Promise<URLSearchParams>
}

export type DoorAnswer =
  | { readonly kind: 'allow' }
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string }
  /** The request is not signed in. A page asks for the token; programs get the message. */
  | {
      readonly kind: 'sign-in'
      readonly status: 401 | 429
      readonly problem: string | null
      readonly next: string
      readonly ownToken: boolean
      /** Seconds until a token is examined again. */
      readonly retryAfter: number | null
    }
  /** A page of ours that sends the browser on. */
  | { readonly kind: 'hop'; readonly to: string }
  | { readonly kind: 'go'; readonly to: string; readonly cookie: string | null }
  | { readonly kind: 'done'; readonly cookie: string }

const ALLOW: DoorAnswer = { kind: 'allow' }
const WRONG = 'This is not the token, or the link was used already or is too old.'

/** Decides on one request: from where it may come, then who sends it. */
export async function answerAtDoor(request: DoorRequest): Promise<DoorAnswer> {
  const state = doorState()
  const refusal = refusalOf(state.rules, request)
  if (refusal !== null) return { kind: 'refuse', ...refusal }
  const path = pathOf(request.url)
  if (path === '/sign-out' && request.method === 'POST') return signOut(state, request)
  if (path === '/sign-in') return request.method === 'POST' ? signInByForm(state, request) : toOverview()
  const address = readSignInAddress(request.url)
  const bearer = bearerOf(request.authorization)
  if (state.token === null || isSignedIn(state, request)) return withoutMarks(state, request, address)
  if (bearer !== null) {
    const fault = tryToken(state, request, bearer)
    return fault === null ? ALLOW : refuseSignIn(state, request, fault)
  }
  if (request.method !== 'GET') return refuseSignIn(state, request, null)
  if (comesFromElsewhere(request) && !address.hopped) return { kind: 'hop', to: address.hop }
  if (address.secret === null) return refuseSignIn(state, request, null)
  return signIn(state, request, { secret: address.secret, next: address.rest })
}

function toOverview(): DoorAnswer {
  return { kind: 'go', to: '/', cookie: null }
}

/** An address with a secret or a mark of ours goes on without it, so that it stays out of histories. */
function withoutMarks(
  state: DoorState,
  request: DoorRequest,
  address: ReturnType<typeof readSignInAddress>,
): DoorAnswer {
  if (request.method !== 'GET' || (address.secret === null && !address.hopped)) return ALLOW
  // Who is in already leaves no link behind that lets another visitor in.
  if (address.secret !== null) state.sessions.spendLink(secretHash(address.secret), Date.now())
  return { kind: 'go', to: address.rest, cookie: null }
}

function isSignedIn(state: DoorState, request: DoorRequest): boolean {
  const now = Date.now()
  return sessionIdsOf(request.cookie, serverName(request.host)).some((id) =>
    state.sessions.isOpen(secretHash(id), now),
  )
}

async function signInByForm(state: DoorState, request: DoorRequest): Promise<DoorAnswer> {
  const form = await request.form()
  const next = ownAddress(form.get('next') ?? '/')
  if (state.token === null) return { kind: 'go', to: next, cookie: null }
  return signIn(state, request, { secret: (form.get('token') ?? '').trim(), next })
}

function signIn(
  state: DoorState,
  request: DoorRequest,
  { secret, next }: { readonly secret: string; readonly next: string },
): DoorAnswer {
  // A code is not looked for among few, so that trying codes is as good as guessing a session.
  const isLink = state.sessions.spendLink(secretHash(secret), Date.now())
  const fault = isLink ? null : tryToken(state, request, secret)
  if (fault !== null) return refuseSignIn(state, request, fault, next)
  const id = randomBytes(32).toString('base64url')
  state.sessions.open(secretHash(id), Date.now())
  return { kind: 'go', to: next, cookie: sessionCookie(serverName(request.host), request.secure, id) }
}

function signOut(state: DoorState, request: DoorRequest): DoorAnswer {
  const server = serverName(request.host)
  for (const id of sessionIdsOf(request.cookie, server)) state.sessions.end(secretHash(id))
  noteSignOut()
  return { kind: 'done', cookie: sessionCookie(server, request.secure, '') }
}

type Fault = { readonly problem: string; readonly waitMs: Milliseconds }

/**
 * Compares a token with ours; null when it is the one. After wrong ones a token that the operator chose is not examined
 * for a while. One that was made here cannot be guessed, so that who has it need not wait for others who have not.
 */
function tryToken(state: DoorState, { address }: DoorRequest, given: string): Fault | null {
  const now = Date.now()
  const waitMs = state.attempts.waitFor(address, now)
  const right = state.token !== null && isSameSecret(given, state.token)
  if (waitMs > 0 && (state.ownToken || !right)) {
    return { problem: `There were too many wrong tokens. Try again in ${secondsOf(waitMs)} s.`, waitMs }
  }
  if (right) {
    if (state.ownToken) state.attempts.right(address)
    return null
  }
  const { wrong, log } = state.attempts.wrong(address, now)
  if (log) console.error(`A wrong token was sent from ${address} (${wrong} in a row from there).`)
  return { problem: WRONG, waitMs: 0 }
}

function refuseSignIn(
  state: DoorState,
  request: DoorRequest,
  fault: Fault | null,
  next: string = readSignInAddress(request.url).rest,
): DoorAnswer {
  const waits = fault !== null && fault.waitMs > 0
  return {
    kind: 'sign-in',
    status: waits ? 429 : 401,
    problem: fault?.problem ?? null,
    next: request.method === 'GET' || request.method === 'POST' ? next : '/',
    ownToken: state.ownToken,
    retryAfter: waits ? secondsOf(fault.waitMs) : null,
  }
}

function secondsOf(ms: number): number {
  return Math.ceil(ms / 1000)
}

/** The message for programs that come without a token. */
export function signInMessage(ownToken: boolean): string {
  const which = ownToken
    ? 'the PLIMSOLL_TOKEN that it was started with'
    : 'the one in the file "token" of its state folder'
  return `This server asks for its token: send "Authorization: Bearer …" with ${which}, or open the link that "plimsoll sign-in" prints.`
}
