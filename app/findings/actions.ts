'use server'

import { z } from 'zod'
import { PICK_NAMES } from '@/lib/core/findings/remedies/tuned-kinds'
import { action } from '@/lib/server/door/action'
import { muteOnPage, unmuteOnPage } from '@/lib/server/findings/mutes'
import { applyRemedy, getRemedy } from '@/lib/server/findings/remedies'
import type { DoneAnswer } from '@/lib/view/actions/action-answer'
import type { AppliedAnswer, RemedyOffer } from '@/lib/view/findings/remedy-answers'

/** Of a session, or of a store as a whole. */
const subject = z.string().regex(/^[\w-]{1,64}$/)
const finding = z.string().min(1).max(200)
const seen = z.string().regex(/^[0-9a-f]{64}$/)
/** Of a tuning that fits the finding; null: what the finding itself says. */
const pick = z.enum(PICK_NAMES).nullable()
const reason = z.string().trim().min(1).max(500)
/** A day, or nothing: for good. */
const until = z.union([z.literal(''), z.iso.date()])

/** What can be done about a finding, shown before anything is written. */
export async function remedyAction(...sent: readonly unknown[]): Promise<RemedyOffer> {
  return action(z.tuple([subject, finding, pick]), sent, getRemedy, { unreadable: 'This is no finding.' })
}

/** Applies the setting that was shown. The last argument: also where it is known to cost more. */
export async function applyRemedyAction(...sent: readonly unknown[]): Promise<AppliedAnswer> {
  return action(z.tuple([subject, finding, pick, seen, z.boolean()]), sent, applyRemedy, {
    unreadable: 'This is nothing that was shown.',
    revalidate: '/',
  })
}

/** Leaves all findings of a cause out, with the reason and until a day. */
export async function muteAction(...sent: readonly unknown[]): Promise<DoneAnswer> {
  return action(z.tuple([subject, finding, reason, until]), sent, muteOnPage, {
    unreadable: 'It needs a reason of at most 500 characters, and a day that is to come, or none.',
    revalidate: '/',
  })
}

/** Shows all findings of a cause again. */
export async function unmuteAction(...sent: readonly unknown[]): Promise<DoneAnswer> {
  return action(z.tuple([subject, finding]), sent, unmuteOnPage, {
    unreadable: 'This is no finding.',
    revalidate: '/',
  })
}
