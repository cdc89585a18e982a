// Receipts: sent to a transaction, and fetched from it. A photo of a phone is made smaller first.
import { BY_COOKIE, ENDPOINT, Refusal, refusalOf, type Answer } from '../api/client';
import { session } from '../api/session';

/** What a file may have, in bytes: the API's bound. */
export const MAX_FILE = 2 * 1024 * 1024;

const LONGEST_SIDE = 2200;
const QUALITY = [0.85, 0.7, 0.5];
const taken = new Set(['application/pdf', 'image/png', 'image/jpeg']);

/** fitting is the file as the API takes it; undefined where it is none of these, or cannot be made small enough. */
export async function fitting(file: File): Promise<File | undefined> {
  if (taken.has(file.type) && file.size <= MAX_FILE) return file;
  if (!file.type.startsWith('image/')) return undefined;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    for (const quality of QUALITY) {
      const made = await new Promise<Blob | null>((done) => { canvas.toBlob(done, 'image/jpeg', quality); });
      if (made && made.size <= MAX_FILE) return new File([made], file.name.replace(/\.\w+$/, '') + '.jpg', { type: 'image/jpeg' });
    }
  } catch {
    // it is no picture that this browser reads
  }
  return undefined;
}

const headers = () => ({ ...BY_COOKIE, Accept: 'application/json', 'Accept-Language': document.documentElement.lang });

const pathOf = (...parts: string[]) => [`${ENDPOINT}/files`, ...parts.map(encodeURIComponent)].join('/');

async function reach(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: headers(), credentials: 'same-origin' });
  } catch {
    throw new Refusal('UNREACHABLE', '');
  }
  if (response.ok) return response;
  const refusal = refusalOf(await response.json().catch(() => ({})) as Answer<unknown>) ?? new Refusal('INTERNAL', response.statusText);
  if (refusal.code === 'UNAUTHENTICATED') session.lapse();
  throw refusal;
}

/** attach adds a file to a transaction. */
export async function attach(code: string, file: File, audience: string, text = '') {
  const form = new FormData();
  form.append('audience', audience.toLowerCase());
  form.append('text', text);
  form.append('file', file, file.name);
  await reach(pathOf(code), { method: 'POST', body: form });
}

/** fetchFile is the content of a note's file. */
export const fetchFile = async (code: string, note: string, signal: AbortSignal) => (await reach(pathOf(code, note), { signal })).blob();
