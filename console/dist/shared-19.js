var r=e=>e,o={hasNextPage:!1,hasPreviousPage:!1,startCursor:null,endCursor:null,isPartial:!1};export{r as a,o as b};
