// A receipt: chosen, dropped, pasted, or taken with the camera of a phone.
import { useId, useState, type DragEvent, type ClipboardEvent } from 'react';
import { Icon } from '../ui/Icon';
import { useWords } from '../words/words';
import { fitting } from './files';

export function ReceiptField({ file, onChange, label }: { file: File | undefined; onChange: (file: File | undefined) => void; label?: string }) {
  const { say } = useWords();
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [isWrong, setIsWrong] = useState(false);
  const take = async (list: FileList | null | undefined) => {
    const [given] = list ?? [];
    if (!given) return;
    setIsBusy(true);
    const made = await fitting(given);
    setIsBusy(false);
    setIsWrong(made === undefined);
    onChange(made);
  };
  const dropped = (e: DragEvent) => {
    e.preventDefault();
    setIsOver(false);
    void take(e.dataTransfer.files);
  };
  const pasted = (e: ClipboardEvent) => {
    if (e.clipboardData.files.length === 0) return;
    e.preventDefault();
    void take(e.clipboardData.files);
  };
  return (
    <div className="field">
      <span className="label" id={id}>{label ?? say('receipt.label')} <span className="muted">{say('ui.optional')}</span></span>
      <div
        className={isOver ? 'drop over' : 'drop'} role="group" aria-labelledby={id} onPaste={pasted} onDrop={dropped}
        onDragOver={(e) => { e.preventDefault(); setIsOver(true); }} onDragLeave={() => setIsOver(false)}
      >
        {file ? (
          <p className="chosen-file">
            <Icon name="file" /><span>{file.name} <span className="muted">{say('receipt.size', { size: sizeOf(file.size) })}</span></span>
            <button type="button" className="button quiet" onClick={() => onChange(undefined)}>{say('receipt.remove')}</button>
          </p>
        ) : (
          <>
            <label className="button">
              <Icon name="file" />{say('receipt.choose')}
              <input type="file" className="unseen" name="receipt" accept="application/pdf,image/*" onChange={(e) => void take(e.target.files)} />
            </label>
            <label className="button only-touch">
              <Icon name="camera" />{say('receipt.photo')}
              <input type="file" className="unseen" name="photo" accept="image/*" capture="environment" onChange={(e) => void take(e.target.files)} />
            </label>
            <span className="muted only-mouse">{say('receipt.drop')}</span>
          </>
        )}
      </div>
      <p className="muted hint" role="status">{isBusy ? say('receipt.reading') : ''}</p>
      <p className="problem" role="alert">{isWrong && say('receipt.wrong')}</p>
    </div>
  );
}

/** sizeOf is a size in whole kibibytes, at least one. */
export const sizeOf = (bytes: number) => Math.max(1, Math.round(bytes / 1024));
