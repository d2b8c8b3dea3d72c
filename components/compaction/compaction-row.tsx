'use client'

import { useState } from 'react'
import { Badge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { UndoGlyph } from '@/components/ui/glyphs'
import { Td, Th, Tr } from '@/components/ui/table'
import { Term } from '@/components/ui/term'
import { Moment } from '@/components/ui/time'
import type { Tokens } from '@/lib/core/units/units'
import type { AuditEntryView } from '@/lib/view/audit/audit'
import { type CompactionItem, freedWords } from '@/lib/view/compaction/compactions'
import { formatCount } from '@/lib/view/text/format'
import { CallLinks } from './call-links'
import { CompactionDetail } from './compaction-detail'
import { RecordFacts } from './record-facts'

/** Columns of the table of compactions. */
const COMPACTION_COLUMNS = 7

/** One compaction: when and why, before and after, what is odd about it; the rest below it when it is opened. */
export function CompactionRow({
  id,
  item,
  total,
  onUndo,
  onOpen,
}: {
  id: string
  item: CompactionItem
  /** Compactions and resets of the session. */
  total: number
  /** Asks whether the write is to be taken back. */
  onUndo: (entry: AuditEntryView) => void
  /** Opens the source of an entry. */
  onOpen: (seq: number) => void
}) {
  const [open, setOpen] = useState(false)
  const { kind, ours, seq, number } = item
  const name = `${kind === 'reset' ? 'Reset' : 'Compaction'} ${formatCount(number)} of ${formatCount(total)}`
  return (
    <>
      <Tr className="align-top">
        <Th scope="row" className="tnum whitespace-nowrap">
          {formatCount(number)}
          <span className="text-muted max-sm:sr-only">{` of ${formatCount(total)}`}</span>
        </Th>
        <Td>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Moment at={item.at} className="whitespace-nowrap" />
            <CompactionBadges item={item} />
            <span className="tnum w-full md:hidden">
              <Prompts item={item} />
            </span>
          </span>
        </Td>
        <Td numeric className="max-md:hidden">
          <Prompts item={item} />
        </Td>
        <Td numeric className="max-md:hidden">
          {formatCount(item.summarised)}
        </Td>
        <Td numeric className="max-md:hidden">
          {item.provider === null ? (
            formatCount(item.kept)
          ) : (
            <span className="text-muted" title={item.provider.kept}>
              ?
            </span>
          )}
        </Td>
        <Td className="max-md:hidden">
          <CallLinks id={id} item={item} />
        </Td>
        <Td className="text-right">
          <span className="inline-flex flex-wrap justify-end gap-1">
            {ours?.entry.canUndo && (
              <Button onClick={() => onUndo(ours.entry)}>
                <UndoGlyph />
                Undo…
              </Button>
            )}
            <Button
              aria-expanded={open}
              aria-label={`${open ? 'Close' : 'Open'} ${kind === 'reset' ? 'what was lost' : 'summary and losses'}: ${name}`}
              onClick={() => setOpen(!open)}
            >
              {open ? 'Close' : 'Open'}
            </Button>
          </span>
        </Td>
      </Tr>
      {open && (
        <Tr>
          <td colSpan={COMPACTION_COLUMNS} className="px-4 py-3">
            <section aria-label={name} className="flex flex-col gap-3">
              <RecordFacts id={id} item={item} name={name} onOpen={onOpen} />
              <CompactionDetail id={id} seq={seq} kind={kind} onOpen={onOpen} />
            </section>
          </td>
        </Tr>
      )}
    </>
  )
}

/** The prompts around it, and what it freed. */
function Prompts({ item }: { item: CompactionItem }) {
  const { promptBefore, promptAfter, beforeBasis, afterBasis, freed } = item
  return (
    <>
      <span
        className="whitespace-nowrap"
        title="as the provider or the estimator said for the calls around it"
      >
        {`${tokensWords(promptBefore, beforeBasis)} → ${tokensWords(promptAfter, afterBasis)} `}
      </span>
      <span
        className={classes(
          'block whitespace-nowrap',
          freed !== null && freed < 0.1 ? 'text-attention' : 'text-muted',
        )}
      >
        {freedWords(freed)}
      </span>
    </>
  )
}

/** What it was, what set it off, and what is odd about it, in a few words. */
export function CompactionBadges({ item }: { item: CompactionItem }) {
  const { kind, trigger, midTask, oddities, ours, fromHook } = item
  return (
    <>
      {kind === 'reset' ? (
        <Badge title="The conversation began anew.">reset</Badge>
      ) : (
        <WordBadge word={trigger} />
      )}
      {midTask && (
        <Badge tone="attention" title="Its last message had called a tool, or the results had just come.">
          <Term id="mid-task">mid-task</Term>
        </Badge>
      )}
      {oddities.map((oddity) => (
        <WordBadge key={oddity.word} word={oddity} tone="attention" />
      ))}
      {ours !== null && <Badge tone="accent">made with Plimsoll</Badge>}
      {ours === null && fromHook && <Badge>by an extension</Badge>}
    </>
  )
}

/** @param word with its place in the help, where it has one */
function WordBadge({ word: { word, about, help }, tone }: { word: CompactionItem['trigger']; tone?: Tone }) {
  return (
    <Badge title={about} {...(tone === undefined ? {} : { tone })}>
      {help === undefined ? (
        word
      ) : (
        <Term id={help} about={about}>
          {word}
        </Term>
      )}
    </Badge>
  )
}

function tokensWords(tokens: Tokens | null, basis: CompactionItem['beforeBasis']): string {
  if (tokens === null) return '?'
  return `${basis === 'estimated' ? '≈ ' : ''}${formatCount(tokens)}`
}
