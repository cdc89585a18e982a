package storetest

func gatewayDirectorySentences() []sentence {
	return []sentence{}
}
