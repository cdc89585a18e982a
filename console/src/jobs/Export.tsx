// An export of what a filter of transactions matches.
import { useState } from 'react';
import { useHouse } from '../shell/house';
import type { TransactionFilter } from '../transactions/transactions.generated';
import { useAct } from '../ui/act';
import { ActDialog } from '../ui/ActDialog';
import { SelectField } from '../ui/Form';
import { tell } from '../ui/results';
import { useWords } from '../words/words';
import { StartExportDocument, type ExportFormat } from './jobs.generated';

const formats: readonly ExportFormat[] = ['XLSX', 'CSV'];

export function ExportAll({ filter }: { filter: TransactionFilter }) {
  const { say } = useWords();
  const { label } = useHouse();
  const [isOpen, setIsOpen] = useState(false);
  const [format, setFormat] = useState<string>('XLSX');
  const start = useAct(StartExportDocument, {
    done: () => {
      setIsOpen(false);
      tell({ tone: 'good', text: say('jobs.exportStarted'), link: { path: '/jobs', name: say('jobs.toJobs') } });
    },
  });
  return (
    <>
      <button type="button" className="button" onClick={() => setIsOpen(true)}>{say('jobs.export')}</button>
      <ActDialog title={say('jobs.export')} isOpen={isOpen} close={() => setIsOpen(false)} act={start} go={say('jobs.exportGo')}
        submit={() => void start.act({ input: { filter, format: format as ExportFormat } })}>
        <p className="lead">{say('jobs.exportLead')}</p>
        <SelectField name="format" label={say('jobs.format')} value={format} onChange={setFormat}
          options={formats.map((f) => ({ id: f, name: label('ExportFormat', f) }))} />
      </ActDialog>
    </>
  );
}
