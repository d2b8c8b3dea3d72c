'use client'

import { type ReactNode, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { UndoGlyph } from '@/components/ui/glyphs'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { Tokens } from '@/lib/core/units/units'
import type { AuditEntryView } from '@/lib/view/audit/audit'
import { type CompactionItem, freedWords } from '@/lib/view/compaction/compactions'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { CompactionDetail } from './compaction-detail'

/** One compaction: when and why, before and after, what is odd about it; the rest when it is opened. */
export function CompactionCard({
  id,
  item,
  onUndo,
  onOpen,
}: {
  id: string
  item: CompactionItem
  /** Asks whether the write is to be taken back. */
  onUndo: (entry: AuditEntryView) => void
  /** Opens the source of an entry. */
  onOpen: (seq: number) => void
}) {
  const [open, setOpen] = useState(false)
  const { kind, trigger, ours, oddities, seq } = item
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          {kind === 'reset' ? 'Reset' : 'Compaction'}
          <span className="text-table font-normal text-muted">
            <Moment at={item.at} />
          </span>
          {kind !== 'reset' && <Badge title={trigger.about}>{trigger.word}</Badge>}
          {item.midTask && (
            <Badge tone="attention" title="Its last message had called a tool, or the results had just come.">
              mid-task
            </Badge>
          )}
          {oddities.map(({ word, about }) => (
            <Badge key={word} tone="attention" title={about}>
              {word}
            </Badge>
          ))}
          {ours !== null && <Badge tone="accent">made with Plimsoll</Badge>}
          {ours === null && item.fromHook && <Badge>by an extension</Badge>}
        </span>
      }
      aside={
        <>
          {ours?.entry.canUndo && (
            <Button onClick={() => onUndo(ours.entry)}>
              <UndoGlyph />
              Undo…
            </Button>
          )}
          <Button aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Close' : kind === 'reset' ? 'What was lost' : 'Summary and losses'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3" data-seq={seq}>
        <dl className="flex flex-wrap gap-x-8 gap-y-2 text-table">
          <Fact
            name="Prompt before → after"
            title="as the provider or the estimator said for the calls around it"
          >
            {`${tokensWords(item.promptBefore, item.beforeBasis)} → ${tokensWords(item.promptAfter, item.afterBasis)} `}
            <span className={item.freed !== null && item.freed < 0.1 ? 'text-attention' : 'text-muted'}>
              {freedWords(item.freed)}
            </span>
          </Fact>
          {item.provider === null ? (
            <Fact name="The record says" title="tokens before, as the runtime wrote them down">
              {item.recordedBefore === null ? 'nothing' : formatQuantity(item.recordedBefore, 'token')}
            </Fact>
          ) : (
            <Fact name="Made by" title="provider and model that the record names">
              {item.provider.name}
            </Fact>
          )}
          <Fact name="Left the context">{formatQuantity(item.summarised, 'entry', 'entries')}</Fact>
          {item.provider === null ? (
            <Fact name="Stayed">{formatQuantity(item.kept, 'entry', 'entries')}</Fact>
          ) : (
            <Fact name="What it kept">{item.provider.kept}</Fact>
          )}
          <Fact name="In Context">
            <span className="flex flex-wrap gap-x-3">
              <CallLink id={id} call={item.callBefore} word="before" />
              <CallLink id={id} call={item.callAfter} word="after" />
            </span>
          </Fact>
          <Fact name="Record">
            <button
              type="button"
              onClick={() => onOpen(seq)}
              className="text-accent hover:underline"
            >{`line ${formatCount(item.line)}`}</button>
            {ours !== null && (
              <PageLink href={ours.href} className="ml-3 text-accent hover:underline">
                Receipt
              </PageLink>
            )}
          </Fact>
        </dl>
        {oddities.map(({ word, about }) => (
          <p key={word} className="max-w-[80ch] text-table text-attention">
            {about}
          </p>
        ))}
        {open && <CompactionDetail id={id} seq={seq} kind={kind} onOpen={onOpen} />}
      </div>
    </Card>
  )
}

function tokensWords(tokens: Tokens | null, basis: CompactionItem['beforeBasis']): string {
  if (tokens === null) return '?'
  return `${basis === 'estimated' ? '≈ ' : ''}${formatCount(tokens)}`
}

function CallLink({ id, call, word }: { id: string; call: number | null; word: string }) {
  if (call === null) return <span className="text-muted">{`no call ${word}`}</span>
  return (
    <PageLink href={`/sessions/${id}?call=${call}`} className="tnum text-accent hover:underline">
      {`call ${formatCount(call)} ${word}`}
    </PageLink>
  )
}

function Fact({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <div title={title} className="min-w-0">
      <dt className="text-label text-muted">{name}</dt>
      <dd className="tnum">{children}</dd>
    </div>
  )
}
