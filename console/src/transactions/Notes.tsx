// What colleagues wrote about a transaction, and the receipts that they attached.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Refusal } from '../api/client';
import { attach, fetchFile } from '../deciding/files';
import { ReceiptField, sizeOf } from '../deciding/Receipt';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { Copy } from '../ui/Copy';
import { Dialog } from '../ui/Dialog';
import { Moment } from '../ui/facts';
import { Form, SelectField, TextArea } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { tell } from '../ui/results';
import { Refused, useReason, Waiting } from '../ui/State';
import { useWords } from '../words/words';
import type { Transaction } from './Detail';
import { AddNoteDocument, type NoteAudience } from './transactions.generated';

type Note = NonNullable<Transaction['notes']>[number];

export function Notes({ of: t }: { of: Transaction }) {
  const { say } = useWords();
  const { label, may } = useHouse();
  const notes = t.notes ?? [];
  const [shown, setShown] = useState<Note>();
  if (notes.length === 0 && !may({ needs: ['NOTES_WRITE'] })) return null;
  return (
    <section className="panel" aria-labelledby="notes">
      <h2 id="notes">{say('notes.title')}</h2>
      {notes.length === 0 && <p className="muted">{say('notes.none')}</p>}
      <ul className="lines">
        {notes.map((n) => (
          <li key={n.id}>
            {n.kind === 'BANK_REFERENCE' && n.text !== null && (
              <p>{label('NoteKind', n.kind)}: <b className="iban">{n.text}</b><Copy name={label('NoteKind', n.kind)} text={n.text} /></p>
            )}
            {n.kind !== 'BANK_REFERENCE' && n.text !== null && <p className="note-text">{n.text}</p>}
            {n.file && (
              <button type="button" className="button" onClick={() => setShown(n)}>
                <Icon name="file" />{n.file.name} <span className="muted">{say('receipt.size', { size: sizeOf(n.file.size) })}</span>
              </button>
            )}
            {n.text === null && !n.file && <p className="muted">{say('notes.forgotten')}</p>}
            <p className="muted">
              <Moment at={n.at} /> · {n.author.name ?? label('ActorKind', n.author.kind)} · {label('NoteAudience', n.audience)}
            </p>
          </li>
        ))}
      </ul>
      {may({ needs: ['NOTES_WRITE'] }) && <Write code={t.trackingCode} />}
      {shown?.file && (
        <Dialog title={shown.file.name} isOpen close={() => setShown(undefined)} isWide>
          <Shown code={t.trackingCode} note={shown.id} name={shown.file.name} type={shown.file.type} />
        </Dialog>
      )}
    </section>
  );
}

/** Shown is a file: a picture as it is, and anything else to download. */
export function Shown({ code, note, name, type }: { code: string; note: string; name: string; type: string }) {
  const { say } = useWords();
  const found = useQuery({ queryKey: ['file', code, note], queryFn: ({ signal }) => fetchFile(code, note, signal), staleTime: Infinity, gcTime: 60_000 });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!found.data) return undefined;
    const made = URL.createObjectURL(found.data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [found.data]);
  if (found.error) return <Refused error={found.error} retry={() => void found.refetch()} />;
  if (!url) return <Waiting />;
  return (
    <div className="receipt">
      {type.startsWith('image/') && <img src={url} alt={name} />}
      <a className="button" href={url} download={name}><Icon name="down_tray" />{say('notes.download')}</a>
    </div>
  );
}

/** Write adds a note, with a file or without. */
function Write({ code }: { code: string }) {
  const { say } = useWords();
  const { label, member } = useHouse();
  const queries = useQueryClient();
  const audiences: NoteAudience[] = member.dealerId === null ? ['HOUSE', 'DEALER', 'ALL'] : ['DEALER', 'ALL'];
  const [text, setText] = useState('');
  const [audience, setAudience] = useState<string>('DEALER');
  const [file, setFile] = useState<File>();
  const [round, setRound] = useState(0);
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<Refusal>();
  const reason = useReason(problem ?? null);
  const busy = useRef(false);
  const saved = () => {
    setText('');
    setFile(undefined);
    setRound((n) => n + 1);
  };
  const add = useAct(AddNoteDocument, { said: say('notes.saved'), done: saved });
  const submit = async () => {
    if (!file) {
      await add.act({ input: { trackingCode: code, text, audience: audience as NoteAudience } });
      return;
    }
    if (busy.current) return;
    busy.current = true;
    setIsSending(true);
    setProblem(undefined);
    try {
      await attach(code, file, audience, text);
      tell({ tone: 'good', text: say('notes.saved') });
      saved();
    } catch (error) {
      setProblem(error instanceof Refusal ? error : new Refusal('INTERNAL', String(error)));
    } finally {
      busy.current = false;
      setIsSending(false);
      void queries.invalidateQueries({ queryKey: ['transaction', code] });
    }
  };
  const act = { ...add, isBusy: add.isBusy || isSending, problem: add.problem || (problem ? say('receipt.failed', { reason }) : '') };
  return (
    <details className="write">
      <summary><Icon name="plus" />{say('notes.add')}</summary>
      <Form key={round} act={act} go={say('notes.save')} submit={() => void submit()}>
        <TextArea name="text" label={say('notes.text')} value={text} onChange={setText} max={2000} rows={2} isRequired={!file} />
        <ReceiptField file={file} onChange={setFile} />
        <SelectField
          name="audience" label={say('notes.audience')} value={audience} onChange={setAudience}
          options={audiences.map((a) => ({ id: a, name: label('NoteAudience', a) }))}
        />
      </Form>
    </details>
  );
}
