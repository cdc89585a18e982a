// Saved views: the filters of a list under a name, one's own or shared.
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, Dialog as AriaDialog, DialogTrigger, Popover } from 'react-aria-components';
import { ask } from '../../api/client';
import { RemoveViewDocument, SavedViewsDocument, SaveViewDocument, type SavedViewSharing } from '../../api/views.generated';
import { useHouse } from '../../shell/house';
import { useWords } from '../../words/words';
import { undoing, useAct } from '../act';
import { Form, SelectField, TextField } from '../Form';
import { Icon } from '../Icon';
import { isNarrowed, type Search } from './filters';
import type { List } from './list';
import { address } from './ListScreen';

const sharings: readonly SavedViewSharing[] = ['PRIVATE', 'ROLE', 'TENANT'];

export function Views<Row, Result, Variables>({ views, list, search }: {
  views: NonNullable<List<Row, Result, Variables>['views']>; list: List<Row, Result, Variables>; search: Search;
}) {
  const { say } = useWords();
  return (
    <DialogTrigger>
      <Button className="button filter"><Icon name="star" />{say('views.title')}<Icon name="down" /></Button>
      <Popover className="popover" placement="bottom start">
        <AriaDialog className="popover-form views" aria-label={say('views.title')}>
          {({ close }) => <Inside {...{ views, list, search, close }} />}
        </AriaDialog>
      </Popover>
    </DialogTrigger>
  );
}

function Inside<Row, Result, Variables>({ views, list, search, close }: {
  views: NonNullable<List<Row, Result, Variables>['views']>; list: List<Row, Result, Variables>; search: Search; close: () => void;
}) {
  const { say, zone } = useWords();
  const { label } = useHouse();
  const { history } = useRouter();
  const found = useQuery({
    queryKey: ['savedViews', views.list], queryFn: ({ signal }) => ask(SavedViewsDocument, { list: views.list }, signal),
    select: (data) => data.savedViews?.nodes ?? [],
  });
  const remove = useAct(RemoveViewDocument, {
    said: say('views.removed'), undo: ({ input: { id } }) => {
      const was = found.data?.find((v) => v.id === id);
      return was && undoing(SaveViewDocument, { list: views.list, name: was.name, sharing: was.sharing, filter: was.filter });
    },
  });
  const save = useAct(SaveViewDocument, { said: say('views.saved'), done: close });
  const [name, setName] = useState('');
  const [sharing, setSharing] = useState<string>('PRIVATE');
  const open = (filter: string) => {
    close();
    history.push(address(list.path, views.searchOf(JSON.parse(filter) as object, zone)));
  };
  return (
    <>
      {found.data?.length === 0 && <p className="muted">{say('views.none')}</p>}
      <ul className="views">
        {found.data?.map((v) => (
          <li key={v.id}>
            <button type="button" className="button quiet" onClick={() => open(v.filter)}>
              {v.name}<span className="muted">{v.isOwn ? label('SavedViewSharing', v.sharing) : v.owner}</span>
            </button>
            {v.isEditable && (
              <button type="button" className="button quiet square" aria-label={say('views.remove', { name: v.name })}
                onClick={() => void remove.act({ input: { id: v.id } })}>
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {remove.problem !== '' && <p className="problem" role="alert">{remove.problem}</p>}
      {isNarrowed(list.filters, search) ? (
        <Form act={save} go={say('views.save')} submit={() => void save.act({
          input: { list: views.list, name, sharing: sharing as SavedViewSharing, filter: JSON.stringify(views.filterOf(search, zone)) },
        })}>
          <TextField name="name" label={say('views.name')} value={name} onChange={setName} max={64} isRequired />
          <SelectField name="sharing" label={say('views.sharing')} value={sharing} onChange={setSharing}
            options={sharings.map((s) => ({ id: s, name: label('SavedViewSharing', s) }))} />
        </Form>
      ) : <p className="muted">{say('views.narrowFirst')}</p>}
    </>
  );
}
