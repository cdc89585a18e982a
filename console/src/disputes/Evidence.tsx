// Evidence against a dispute: a statement, what was paid for, and files of the transaction's notes.
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Refusal } from '../api/client';
import { attach } from '../deciding/files';
import { ReceiptField } from '../deciding/Receipt';
import { useHouse } from '../shell/house';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { SelectField, TextArea } from '../ui/Form';
import { useReason } from '../ui/State';
import { useWords } from '../words/words';
import type { Dispute } from './Disputes';
import { SubmitDisputeEvidenceDocument, type EvidenceKind } from './disputes.generated';

// The kinds that are files; a record, so that a kind that the API gets or loses fails the type check.
const isFile: Record<EvidenceKind, boolean> = { STATEMENT: false, PRODUCT: false, RECEIPT: true, COMMUNICATION: true, SERVICE: true, OTHER: true };
const kinds = (Object.keys(isFile) as EvidenceKind[]).filter((k) => isFile[k]);

export function Evidence({ of: d, close }: { of: Dispute; close: () => void }) {
  const { say, time } = useWords();
  const { label, may } = useHouse();
  const queries = useQueryClient();
  const [statement, setStatement] = useState('');
  const [product, setProduct] = useState('');
  const [chosen, setChosen] = useState<Partial<Record<EvidenceKind, string>>>({});
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<Refusal>();
  const [round, setRound] = useState(0);
  const busy = useRef(false);
  const reason = useReason(problem ?? null);
  const submit = useAct(SubmitDisputeEvidenceDocument, { said: say('disputes.submitted'), done: close });
  const files = (d.transaction?.notes ?? []).flatMap((n) => (n.file ? [{ id: n.id, name: n.file.name }] : []));
  const add = async (file: File | undefined) => {
    if (!file || busy.current || d.trackingCode === null) return;
    busy.current = true;
    setIsSending(true);
    setProblem(undefined);
    try {
      await attach(d.trackingCode, file, 'DEALER');
      setRound((n) => n + 1);
    } catch (error) {
      setProblem(error instanceof Refusal ? error : new Refusal('INTERNAL', String(error)));
    } finally {
      busy.current = false;
      setIsSending(false);
      void queries.invalidateQueries({ queryKey: ['/disputes'] });
    }
  };
  const act = { ...submit, isBusy: submit.isBusy || isSending, problem: submit.problem || (problem ? say('receipt.failed', { reason }) : '') };
  return (
    <ActDialog title={say('disputes.submit')} isOpen isWide close={close} act={act} go={say('disputes.submit')} submit={() => void submit.act({ input: {
      id: d.id, statement, ...(product.trim() !== '' && { product }),
      files: kinds.flatMap((kind) => (chosen[kind] ? [{ kind, noteId: chosen[kind] }] : [])),
    } })}>
      <p>{say('disputes.submitLead')}{d.evidenceDue !== null && <> {say('disputes.submitUntil', { until: time(d.evidenceDue) })}</>}</p>
      <TextArea name="statement" label={label('EvidenceKind', 'STATEMENT')} value={statement} onChange={setStatement} max={2000} rows={4} isRequired />
      <TextArea name="product" label={label('EvidenceKind', 'PRODUCT')} value={product} onChange={setProduct} max={2000} rows={2} />
      {may({ needs: ['NOTES_WRITE'] }) && <ReceiptField key={round} label={say('disputes.attach')} file={undefined} onChange={(file) => void add(file)} />}
      {files.length > 0 && kinds.map((kind) => (
        <SelectField key={kind} name={kind === 'RECEIPT' ? 'files' : kind} label={label('EvidenceKind', kind)} value={chosen[kind] ?? ''} none={say('disputes.noFile')}
          onChange={(id) => setChosen({ ...chosen, [kind]: id })} options={files} />
      ))}
    </ActDialog>
  );
}
